/**
 * A point to compute. Points of one kind take about equally long; points of different kinds take time in proportion to
 * their cost.
 */
export interface Effort {
  kind: string
  cost: number
}

/** The points of a study by state. */
export interface Efforts {
  /** Points that are done, and the seconds that each took. */
  done: readonly (Effort & { seconds: number })[]
  /** Running points, and the seconds since each began. */
  running: readonly (Effort & { seconds: number })[]
  waiting: readonly Effort[]
}

/**
 * Estimates the seconds until all points are done. A point is expected to take the mean time of its kind. If no point
 * of its kind is done, it is expected to take its cost at the overall rate so far. Undefined while no point is done.
 */
export function estimateLeft({ done, running, waiting }: Efforts, options: { workers: number }): number | undefined {
  if (done.length === 0) return undefined
  const rate = sum(done.map(({ seconds }) => seconds)) / sum(done.map(({ cost }) => cost))
  const expect = ({ kind, cost }: Effort) => {
    const alike = done.filter((other) => other.kind === kind)
    return alike.length === 0 ? rate * cost : sum(alike.map(({ seconds }) => seconds)) / alike.length
  }
  const rest = running.map((point) => Math.max(0, expect(point) - point.seconds))
  return Math.max(...rest, (sum(rest) + sum(waiting.map(expect))) / options.workers)
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
