/** Measures of a ranked list, with the names that trec_eval gives them. */
export const rankingMeasures = ["ndcg_cut_10", "P_5", "P_10", "map"] as const
/** One of `rankingMeasures`. */
export type RankingMeasure = (typeof rankingMeasures)[number]

/**
 * How good a ranked list is, by trec_eval's definitions. `grades` are the grades of the listed documents from first to
 * last, 0 if not relevant. `relevant` are the grades (each over 0) of all relevant documents of the topic, listed or
 * not.
 *
 * P_n: the number of relevant documents among the first n, divided by n, however short the list. map: the precision at
 * each relevant document, summed over those listed and divided by the number of all relevant ones. ndcg_cut_10: Σ grade
 * / log₂(rank + 1) over the first ten, divided by the same sum for the best possible list.
 */
export function evaluateRanking(
  grades: ArrayLike<number>,
  relevant: ArrayLike<number>,
): Record<RankingMeasure, number> {
  let found = 0
  let precisions = 0
  for (let i = 0; i < grades.length; i++) if (grades[i] > 0) precisions += ++found / (i + 1)
  const best = Float64Array.from(relevant).sort().reverse()
  const ideal = gainOf(best, 10)
  return {
    ndcg_cut_10: ideal === 0 ? 0 : gainOf(grades, 10) / ideal,
    P_5: precisionAt(grades, 5),
    P_10: precisionAt(grades, 10),
    map: relevant.length === 0 ? 0 : precisions / relevant.length,
  }
}

function gainOf(grades: ArrayLike<number>, cut: number): number {
  let sum = 0
  for (let i = 0; i < cut && i < grades.length; i++) sum += grades[i] / Math.log2(i + 2)
  return sum
}

function precisionAt(grades: ArrayLike<number>, cut: number): number {
  let found = 0
  for (let i = 0; i < cut && i < grades.length; i++) if (grades[i] > 0) found++
  return found / cut
}
