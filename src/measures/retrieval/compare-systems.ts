import { type RankingMeasure, rankingMeasures } from "../../kernels/retrieval/evaluate-ranking.ts"
import { pairedEquivalence, pairedTTest } from "../../kernels/statistics/paired-t-test.ts"
import { type Ranker, rankers, type TopicValues } from "./judge-system.ts"

/** The value of a release for one ranker by one measure, next to the original's. */
export interface Comparison {
  ranker: Ranker
  measure: RankingMeasure
  /** Over all test queries, where an unanswered one scores 0; or over those that the release answers. */
  over: "all" | "answered"
  n: number
  /** U(Q) and U(Q′); neither side has seen the clicks that judge it. */
  original: number
  release: number
  /** U(Q′) − U(Q), and its 95 % interval. */
  difference: number
  interval: [number, number]
  /**
   * Student's paired test, two-sided: the probability of a difference this large if there were none. NaN for a single
   * query.
   */
  p: number
  /** Two one-sided tests: small if the difference is within a share `margin` of U(Q). NaN for a single query. */
  equivalence: number
  /** U(Q) and U(Q′) if both sides have seen these clicks; undefined if not requested. */
  originalSeen: number | undefined
  releaseSeen: number | undefined
}

/** Both sides without the users of the test fold and, if requested, with them. */
export interface Sides {
  original: TopicValues
  release: TopicValues
  originalSeen?: TopicValues
  releaseSeen?: TopicValues
}

/**
 * Compares the sides by every ranker and measure. A query that is asked in several folds counts once, with its mean
 * over the folds. Its topics are not independent, and tests that assumed so would be overconfident.
 */
export function compareSides(sides: Sides, { folds, margin }: { folds: number; margin: number }): Comparison[] {
  const overs: Comparison["over"][] = ["all", "answered"]
  return rankers.flatMap((ranker) =>
    overs.flatMap((over) =>
      rankingMeasures.map((measure): Comparison => {
        const isCounted = (topic: number) => over === "all" || sides.release.answered[ranker][topic] === 1
        const meansOf = ({ values }: TopicValues) => meanByQuery(values[ranker][measure], { folds, isCounted })
        const [original, release] = [meansOf(sides.original), meansOf(sides.release)]
        const { mean, p, interval } = pairedTTest(release, original)
        // If no value differs, the tests would compute 0/0.
        const isSame = release.length > 1 && release.every((value, query) => value === original[query])
        return {
          ranker,
          measure,
          over,
          n: release.length,
          original: meanOf(original),
          release: meanOf(release),
          difference: mean,
          interval,
          p: isSame ? 1 : p,
          equivalence: isSame ? 0 : pairedEquivalence(release, original, { margin: margin * meanOf(original) }).p,
          originalSeen: sides.originalSeen && meanOf(meansOf(sides.originalSeen)),
          releaseSeen: sides.releaseSeen && meanOf(meansOf(sides.releaseSeen)),
        }
      }),
    ),
  )
}

/** For each query with a topic that counts, the mean over those topics. */
function meanByQuery(
  values: Float64Array,
  { folds, isCounted }: { folds: number; isCounted: (topic: number) => boolean },
): Float64Array {
  const queries = values.length / folds
  const means: number[] = []
  for (let query = 0; query < queries; query++) {
    let [sum, count] = [0, 0]
    for (let topic = query; topic < values.length; topic += queries) {
      if (Number.isNaN(values[topic]) || !isCounted(topic)) continue
      sum += values[topic]
      count++
    }
    if (count > 0) means.push(sum / count)
  }
  return Float64Array.from(means)
}

const meanOf = (values: Float64Array) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
