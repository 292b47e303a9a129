/** A point to compare: less risk is better, and more use is. */
export interface Tradeoff {
  risk: number
  use: number
}

/**
 * For each point whether it is on the Pareto front: no other point is at least as good in both and better in one.
 * Points with equal risk and use are all on it, or none is. One pass in order of falling use and rising risk: a
 * point is on the front when its risk is below that of all points of more use, and is the least of those of its use.
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
