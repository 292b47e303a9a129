/** A point to compute: points of one kind take about as long, others in proportion to their cost. */
export interface Effort {
  kind: string
  cost: number
}

/** The points of a study by how far they are. */
export interface Efforts {
  /** Points that are done, and the seconds that each took. */
  done: readonly (Effort & { seconds: number })[]
  /** Points under way, and the seconds since each began. */
  running: readonly (Effort & { seconds: number })[]
  waiting: readonly Effort[]
}

/**
 * Seconds until all points are done. A point is expected to take what those of its kind took on average; of a kind that
 * none is done of, its cost at the rate of all that are done. Undefined while nothing is done.
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
