/**
 * The largest distance between the empirical distribution functions of two samples, and the exact two-sided chance of
 * at least this distance if both come from the same continuous distribution. With ties the chance is an upper bound,
 * the same that SciPy gives. Time |a|·|b|, space |b|.
 */
export function kolmogorovSmirnov(a: ArrayLike<number>, b: ArrayLike<number>): { statistic: number; p: number } {
  if (a.length === 0 || b.length === 0) throw new RangeError("a sample is empty")
  const sorted = [a, b].map((sample) => Float64Array.from(sample).sort())
  // Sorting puts NaN last.
  if (sorted.some((sample) => Number.isNaN(sample[sample.length - 1]))) throw new RangeError("a value is not a number")
  const distance = largestDistance(sorted[0], sorted[1])
  const sizes = { m: a.length, n: b.length }
  return { statistic: distance / (sizes.m * sizes.n), p: distanceTail(distance, sizes) }
}

/** max |i/m − j/n| · mn over the values, an integer. i and j count the sample values at or below the value. */
function largestDistance(a: Float64Array, b: Float64Array): number {
  const [m, n] = [a.length, b.length]
  let [i, j, largest] = [0, 0, 0]
  while (i < m && j < n) {
    const value = Math.min(a[i], b[j])
    while (i < m && a[i] === value) i++
    while (j < n && b[j] === value) j++
    largest = Math.max(largest, Math.abs(i * n - j * m))
  }
  return largest
}

/**
 * Under the hypothesis all C(m + n, m) orders of the two samples are equally likely. These are the lattice paths from
 * (0, 0) to (m, n). f(i, j) is the share of the paths to (i, j) that reach |i/m − j/n|·mn ≥ distance:
 * f(i, j) = 1 if (i, j) itself reaches it, else f(i − 1, j)·i/(i + j) + f(i, j − 1)·j/(i + j).
 * All terms are positive, so the sum is precise however small the chance (Viehmann 2021).
 */
function distanceTail(distance: number, { m, n }: { m: number; n: number }): number {
  const share = new Float64Array(n + 1)
  for (let i = 0; i <= m; i++) {
    for (let j = 0; j <= n; j++) {
      if (Math.abs(i * n - j * m) >= distance) share[j] = 1
      else {
        const above = i === 0 ? 0 : share[j] * (i / (i + j))
        const left = j === 0 ? 0 : share[j - 1] * (j / (i + j))
        share[j] = above + left
      }
    }
  }
  return share[n]
}
