/** A point to compare: lower risk and higher use are better. */
export interface Tradeoff {
  risk: number
  use: number
}

/**
 * Marks the points on the Pareto front: no other point is at least as good in both and better in one. Points with equal
 * risk and use are either all on it or all off it.
 *
 * One pass in order of falling use and rising risk. A point is on the front if its risk is below that of every point
 * with more use, and is the least among points of equal use.
 */
export function markFront(points: readonly Tradeoff[]): boolean[] {
  const order = points.map((point, i) => ({ ...point, i })).sort((a, b) => b.use - a.use || a.risk - b.risk)
  const isOnFront = points.map(() => false)
  let least = Number.POSITIVE_INFINITY
  let last: Tradeoff | undefined
  for (const { i, risk, use } of order) {
    const isTie = last !== undefined && last.risk === risk && last.use === use
    if (risk >= least && !isTie) continue
    isOnFront[i] = true
    last = { risk, use }
    least = risk
  }
  return isOnFront
}
