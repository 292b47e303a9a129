/** Pearson's statistic of counts against the same expectation in every cell. */
export function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

/** Standard normal quantiles: the chance of a larger value is the key. */
const normalQuantile = { "1e-6": 4.7534, "1e-9": 5.9978 } as const

/**
 * What Pearson's statistic over `cells` equally likely cells exceeds with at most the chance `falseAlarm`
 * (Wilson & Hilferty 1931: the cube root of χ²/d is normal with mean 1 − 2/9d and variance 2/9d).
 */
export function chiSquareBound(cells: number, falseAlarm: keyof typeof normalQuantile): number {
  const d = cells - 1
  return d * (1 - 2 / (9 * d) + normalQuantile[falseAlarm] * Math.sqrt(2 / (9 * d))) ** 3
}
