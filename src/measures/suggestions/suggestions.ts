import { type Static, Type } from "#typebox"
import { cacheBy } from "../../kernels/cache-by.ts"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { clusteredMean } from "../../kernels/statistics/clustered-mean.ts"
import { tableOf } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { hasQueries, type ReleaseProbe } from "../../probes/probe.ts"
import { type Finding, labelWithProbe } from "../../probes/score.ts"
import { edgesOfRows } from "../shown/click-edges.ts"
import { removerOf } from "../shown/leave-out.ts"
import { edgesOfRelease } from "../shown/release-edges.ts"
import { queriesOfRows, shownQueries, textRemoverOf } from "../shown/shown-texts.ts"
import { foldOptions, splitUsers, usersOfFold } from "../split-users.ts"
import { type PairScores, scorePairs, suggested } from "./score-pairs.ts"
import { drawPairs, type TestPairs } from "./test-pairs.ts"
import { indexWords, type WordIndex } from "./word-index.ts"

const options = Type.Object({
  ...foldOptions.properties,
  suggestionPairs: Type.Integer({
    default: 2000,
    minimum: 1,
    maximum: 100_000_000,
    description: "ask for suggestions for this many pairs of a query and the next one",
  }),
})

/**
 * How well the release suggests the query that a user issues next: the mean reciprocal rank among ten, next to that of
 * the log. Suggestions are what most often followed, then what shares words, then what is most frequent. Both sides
 * exclude what the users of the test fold contributed; docs/methods/usefulness.md.
 */
export const suggestions: ReleaseProbe<typeof options> = {
  name: "suggestions",
  looksAt: "any",
  summary: [
    "how well the next query of a user is suggested from the release (mean reciprocal rank),",
    "compared with the log",
  ].join(" "),
  options,
  label: (scored) => labelWithProbe("suggestions", scored, "-"),
  applies: (subject) =>
    subject.log.users.size === 0 ? "the log has no users to split into folds" : hasQueries(subject),
  async run({ release, log }, values, context) {
    const { pairs, foldOf, asked, original } = await askLog(log, values, context)
    const shown = await shownQueries(release, context)
    const [edgesWithout, weightsWithout] = [
      removerOf(await edgesOfRelease(release, context), log),
      textRemoverOf(shown, log),
    ]
    const suggesterFor = (fold: number) => {
      const users = usersOfFold(foldOf, fold)
      return { ...edgesWithout(users), weights: weightsWithout(users) }
    }
    const index = await indexWords(shown.texts, context)
    const found = scorePairs(suggesterFor, { index, asked, pairs, folds: values.folds })
    await yieldAndReport(context, { stage: "suggesting", done: pairs.from.length, total: pairs.from.length })
    return scoresOf(pairs, { found, original })
  },
}

interface Asked {
  foldOf: Uint8Array
  pairs: TestPairs
  /** The log's queries, indexed by word. */
  asked: WordIndex
  original: PairScores
}

const askedOf = cacheBy<SearchLog, Asked>()

/** The pairs, and the scores of the log's rows of the users outside each fold. */
function askLog(log: SearchLog, values: Static<typeof options>, context: RunContext): Promise<Asked> {
  const { folds, foldSeed: seed, suggestionPairs: most } = values
  return askedOf(log, [folds, seed, most], async () => {
    const foldOf = splitUsers(log, { folds, seed })
    const pairs = drawPairs(log, { foldOf, most, seed })
    await yieldAndReport(context, { stage: "drawing pairs", done: pairs.from.length })
    const asked = await indexWords(log.queries, context)
    const weightsWithout = textRemoverOf(queriesOfRows(log), log)
    const suggesterFor = (fold: number) => ({
      ...edgesOfRows(log, { takes: (row) => log.user[row] < 0 || foldOf[log.user[row]] !== fold }),
      weights: weightsWithout(usersOfFold(foldOf, fold)),
    })
    return { foldOf, pairs, asked, original: scorePairs(suggesterFor, { index: asked, asked, pairs, folds }) }
  })
}

/** Intervals treat users as the sampling unit, because the pairs of one user are correlated. */
function scoresOf(pairs: TestPairs, { found, original }: Record<"found" | "original", PairScores>): Finding[] {
  const n = pairs.from.length
  const score = (score: string, values: ArrayLike<number>, ofLog: ArrayLike<number>): Finding => {
    const { mean, interval } = clusteredMean(values, { clusters: pairs.user })
    const baseline = clusteredMean(ofLog, { clusters: pairs.user }).mean
    return { score, value: mean, n, baseline, better: "higher", ...(interval && { interval: withinUnit(interval) }) }
  }
  const shares = Array.from({ length: suggested }, (_, i) =>
    [found, original].map(({ ranks }) => (n === 0 ? 0 : ranks[i] / n)),
  )
  const series = tableOf(
    ["rank", "share", "original"],
    shares.map((row, i) => [i + 1, ...row]),
  )
  return [
    { ...score("suggestions", found.reciprocal, original.reciprocal), series },
    score("followed", found.followed, original.followed),
    score("answered", found.answered, original.answered),
  ]
}

const withinUnit = ([low, high]: [number, number]): [number, number] => [Math.max(0, low), Math.min(1, high)]
