import { rankingMeasures } from "../../kernels/retrieval/evaluate-ranking.ts"
import { tableOf } from "../../kernels/table.ts"
import type { ReleaseProbe, Score } from "../../probes/probe.ts"
import { edgesOfRelease, hasClicks } from "../shown/release-edges.ts"
import type { Comparison } from "./compare-systems.ts"
import { compareRetrieval } from "./cross-validate.ts"
import { rankers } from "./judge-system.ts"
import { retrievalOptions } from "./options.ts"

/**
 * What a release is worth to a search engine that learns from it: U(Q′) = E(R(Q′)) beside U(Q) = E(R(Q)), R being a random walk
 * on clicks or implicit feedback, E trec_eval's measures. Zhang, Yang & Singh 2016, §2 and §5; docs/methods/retrieval.md.
 */
export const retrieval: ReleaseProbe<typeof retrievalOptions> = {
  name: "retrieval",
  looksAt: "any",
  summary: "how well a search engine that learns from the release answers, beside one that learns from the log",
  options: retrievalOptions,
  applies: (subject) => {
    if (subject.log.urls.size === 0) return "the log has no clicks"
    if (subject.log.users.size === 0) return "the log has no users to split into folds"
    return hasClicks(subject.release)
  },
  async run(subject, options, context) {
    const edges = await edgesOfRelease(subject.release, context)
    return scoresOf(await compareRetrieval(edges, { ...subject, keep: subject.trec }, options, context))
  },
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
  const { ranker, measure, n, difference, interval, p, equivalence, releaseSeen = 0, originalSeen = 0 } = first
  const name = `${ranker}-${measure}`
  const overAnswered: Score = {
    name: `${name}-answered`,
    value: answered.release,
    n: answered.n,
    baseline: answered.original,
    better: "higher",
  }
  const answers: Score[] = [
    { name: `${ranker}-answered`, value: n === 0 ? 0 : answered.n / n, n, better: "higher" },
    ...(answered.n === 0 ? [] : [overAnswered]),
    { name: `${name}-seen`, value: releaseSeen, n, baseline: originalSeen, better: "higher" },
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
  row.originalSeen ?? "",
  row.releaseSeen ?? "",
]
