/**
 * Exact one-dimensional k-means: cuts sorted numbers into k runs so that the sum of squares around the means is least.
 * Returns the k − 1 bounds; each is midway between two runs. Returns fewer bounds if there are fewer than k distinct
 * numbers.
 *
 * A dynamic programme over (clusters, prefix). The best cut moves right as the prefix grows, so each row is filled by
 * divide and conquer: O(k · n · log n).
 */
export function clusterNumbers(numbers: ArrayLike<number>, { k }: { k: number }): number[] {
  const sorted = Float64Array.from(numbers).sort()
  const n = sorted.length
  const distinct = sorted.reduce((count, value, i) => (i === 0 || value !== sorted[i - 1] ? count + 1 : count), 0)
  const clusters = Math.min(k, distinct)
  if (clusters < 2) return []
  const cost = squaresWithin(sorted)
  let row = Float64Array.from({ length: n + 1 }, (_, to) => cost(0, to))
  const cuts: Int32Array[] = []
  for (let cluster = 2; cluster <= clusters; cluster++) {
    const before = row
    const next = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY)
    const cut = new Int32Array(n + 1)
    const fill = (from: number, to: number, lowest: number, highest: number): void => {
      if (from > to) return
      const middle = (from + to) >>> 1
      for (let at = lowest; at <= Math.min(middle - 1, highest); at++) {
        const sum = before[at] + cost(at, middle)
        if (sum >= next[middle]) continue
        next[middle] = sum
        cut[middle] = at
      }
      fill(from, middle - 1, lowest, cut[middle])
      fill(middle + 1, to, cut[middle], highest)
    }
    fill(cluster, n, cluster - 1, n - 1)
    cuts.push(cut)
    row = next
  }
  const bounds: number[] = []
  for (let i = cuts.length - 1, to = n; i >= 0; i--) {
    to = cuts[i][to]
    bounds.push((sorted[to - 1] + sorted[to]) / 2)
  }
  return bounds.reverse()
}

/** Σ (x − mean)² over [from, to) of sorted numbers. The prefix sums are centred to avoid cancellation. */
function squaresWithin(sorted: Float64Array): (from: number, to: number) => number {
  const n = sorted.length
  const centre = sorted[n >> 1]
  const sums = new Float64Array(n + 1)
  const squares = new Float64Array(n + 1)
  for (let i = 0; i < n; i++) {
    const value = sorted[i] - centre
    sums[i + 1] = sums[i] + value
    squares[i + 1] = squares[i] + value * value
  }
  return (from, to) => {
    if (to - from < 2) return 0
    const sum = sums[to] - sums[from]
    return Math.max(0, squares[to] - squares[from] - (sum * sum) / (to - from))
  }
}
