import { type Static, Type } from "typebox"
import { breathe, type RunContext } from "../../kernels/context.ts"
import { rankingMeasures } from "../../kernels/retrieval/evaluate-ranking.ts"
import { qrelsLine } from "../../kernels/retrieval/trec-format.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { tableOf } from "../../methods/table.ts"
import type { Probe, ProbeSubject, Score } from "../../release/probe.ts"
import { type ClickEdges, edgesOfRows, removerOf } from "./click-edges.ts"
import { type Comparison, compareSides } from "./compare-systems.ts"
import { type FoldTests, gatherTests } from "./fold-tests.ts"
import { judgeSystem, type KeepLines, rankers, type System, topicName, trainOn } from "./judge-system.ts"
import { edgesOfRelease, hasClicks } from "./release-edges.ts"

export const retrievalOptions = Type.Object({
  steps: Type.Integer({ default: 3, minimum: 1, maximum: 10, description: "steps of the random walk" }),
  selfLoop: Type.Number({ default: 0.1, minimum: 0, maximum: 0.99, description: "chance that a step of it stays" }),
  lambda: Type.Number({ default: 0.6, minimum: 0, maximum: 100, description: "weight λ of a click as feedback" }),
  depth: Type.Integer({ default: 100, minimum: 10, maximum: 10_000, description: "documents in a ranked list" }),
  grades: Type.Enum(["binary", "clicks"], {
    default: "binary",
    description: "a clicked document's relevance: 1, or its clicks",
  }),
  folds: Type.Integer({ default: 5, minimum: 2, maximum: 100, description: "parts that users are split into" }),
  testQueries: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 100_000_000,
    description: "queries to ask, drawn from those with a click",
  }),
  draw: Type.Enum(["evenly", "clicks"], {
    default: "evenly",
    description: "each of these is as likely as another, or in proportion to its clicks",
  }),
  foldSeed: Type.Integer({
    default: 1,
    minimum: 0,
    maximum: 0xffff_ffff,
    description: "another seed, other folds and test queries",
  }),
  margin: Type.Number({
    default: 0.05,
    minimum: 0,
    maximum: 1,
    description: "a difference within this share of what the original scores is none (equivalence test)",
  }),
})

/** The options of `retrieval`, defaults filled in. */
export type RetrievalOptions = Static<typeof retrievalOptions>

/**
 * What a release is worth to a search engine that learns from it: U(Q′) = E(R(Q′)) beside U(Q) = E(R(Q)), R being a random walk
 * on clicks or implicit feedback, E trec_eval's measures. Zhang, Yang & Singh 2016, §2 and §5; docs/methods/retrieval.md.
 */
export const retrieval: Probe<typeof retrievalOptions> = {
  name: "retrieval",
  summary: "how well a search engine that learns from the release answers, beside one that learns from the log",
  options: retrievalOptions,
  applies: (subject) => {
    if (subject.log.urls.size === 0) return "the log has no clicks"
    if (subject.log.users.size === 0) return "the log has no users to split into folds"
    return hasClicks(subject)
  },
  async run(subject, options, context) {
    const edges = await edgesOfRelease(subject.release, context)
    return scoresOf(await compareRetrieval(edges, { ...subject, keep: subject.trec }, options, context))
  },
}

/**
 * Asks the log and a release of it the same queries, both without what the users of the test fold put into them and as a whole.
 * The first comparison is that of the paper's cross-validation, as far as a finished release allows: its names cannot be matched
 * with users, so their clicks and transitions are taken from its counts. The second shows how much it is worth to have seen
 * the answers.
 */
export async function compareRetrieval(
  release: ClickEdges,
  { log, keep }: Pick<ProbeSubject, "log"> & { keep?: KeepLines | undefined },
  options: RetrievalOptions,
  context: RunContext,
): Promise<Comparison[]> {
  const { folds, testQueries: queries, draw, foldSeed: seed } = options
  const tests = gatherTests(log, { folds, queries, draw, seed })
  if (keep !== undefined) await keepTests(tests, { log, keep, grades: options.grades })
  await breathe(context, { stage: "splitting users", done: log.rows, total: log.rows })
  const judge = (system: System) => judgeSystem(system, { log, tests, keep }, options, context)
  const usersOf = (fold: number) => tests.foldOf.map((own) => (own === fold ? 1 : 0))
  const without = removerOf(release, log)
  return compareSides(
    {
      release: await judge({ name: "release", trainingFor: (fold) => trainOn(without(usersOf(fold))) }),
      original: await judge({ name: "original", trainingFor: (fold) => trainOn(edgesOfOthers(log, usersOf(fold))) }),
      releaseWhole: await judge(wholeSystem("release-whole", release)),
      originalWhole: await judge(wholeSystem("original-whole", edgesOfRows(log))),
    },
    options,
  )
}

/** The edges of all users but those marked with a 1. */
const edgesOfOthers = (log: SearchLog, marked: Uint8Array) =>
  edgesOfRows(log, { takes: (row) => log.user[row] < 0 || marked[log.user[row]] === 0 })

/** Trained on everything, in every fold. */
function wholeSystem(name: string, edges: ClickEdges): System {
  const training = trainOn(edges)
  return { name, trainingFor: () => training }
}

async function keepTests(
  { folds, asked, judged }: FoldTests,
  { log, keep, grades }: { log: SearchLog; keep: KeepLines; grades: RetrievalOptions["grades"] },
): Promise<void> {
  await keep("topics.tsv", ["topic\tquery"])
  for (let fold = 0; fold < folds; fold++) {
    const [qrels, topics]: [string[], string[]] = [[], []]
    for (let place = 0; place < asked.length; place++) {
      const at = fold * asked.length + place
      const topic = topicName(fold, place)
      if (judged.starts[at] < judged.starts[at + 1]) topics.push(`${topic}\t${log.queries.text(asked[place])}`)
      for (let i = judged.starts[at]; i < judged.starts[at + 1]; i++) {
        const grade = grades === "binary" ? 1 : judged.weights[i]
        qrels.push(qrelsLine({ topic, url: log.urls.text(judged.targets[i]), grade }))
      }
    }
    await keep("topics.tsv", topics)
    await keep("qrels.txt", qrels)
  }
}

/**
 * Every measure as a score; of the first one, which the paper looks at most, also the tests, the queries that are answered, and
 * what both sides score when they have seen the clicks of the test. The series has this for every measure.
 */
function scoresOf(comparisons: readonly Comparison[]): Score[] {
  return rankers.flatMap((ranker) => {
    const own = comparisons.filter((comparison) => comparison.ranker === ranker)
    const all = own.filter(({ over }) => over === "all")
    const [first, answered] = own.filter(({ measure }) => measure === rankingMeasures[0])
    if (first === undefined || answered === undefined) return []
    const series = tableOf(seriesColumns, own.map(seriesRow))
    const scores = all.map((found): Score => {
      const { measure, release, original, n } = found
      const rest = found === first ? { series } : {}
      return { name: `${ranker}-${measure}`, value: release, n, baseline: original, better: "higher", ...rest }
    })
    return [...scores, ...testScores(first, answered)]
  })
}

function testScores(first: Comparison, answered: Comparison): Score[] {
  const { ranker, measure, n, difference, interval, p, equivalence, releaseWhole, originalWhole } = first
  const name = `${ranker}-${measure}`
  const answers: Score[] = [
    { name: `${ranker}-answered`, value: n === 0 ? 0 : answered.n / n, n, better: "higher" },
    { name: `${name}-answered`, value: answered.release, n: answered.n, baseline: answered.original, better: "higher" },
    { name: `${name}-seen`, value: releaseWhole, n, baseline: originalWhole, better: "higher" },
  ]
  if (n < 2) return answers // no test of one pair
  return [
    { name: `${name}-difference`, value: difference, n, interval, baseline: 0, better: "higher" },
    { name: `${name}-t-test-p`, value: p, n, better: "higher" },
    { name: `${name}-equivalence-p`, value: equivalence, n, better: "lower" },
    ...answers,
  ]
}

const seriesColumns = [
  "over",
  "measure",
  "n",
  "original",
  "release",
  "difference",
  "low",
  "high",
  "t-test-p",
  "equivalence-p",
  "original-seen",
  "release-seen",
]

const seriesRow = (row: Comparison) => [
  row.over,
  row.measure,
  row.n,
  row.original,
  row.release,
  row.difference,
  ...[...row.interval, row.p, row.equivalence].map((value) => (row.n < 2 ? "" : value)),
  row.originalWhole,
  row.releaseWhole,
]
