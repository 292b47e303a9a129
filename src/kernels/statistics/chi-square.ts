import { upperGamma } from "./incomplete-gamma.ts"

/** The chance that χ² with `df` degrees of freedom exceeds x. */
export function chiSquareTail(x: number, df: number): number {
  return upperGamma(df / 2, x / 2)
}

/**
 * Pearson's test of counts against expected counts (default: the same in every cell). Both must have the same sum.
 * `ddof` is the number of parameters of the expectation that were fitted to the counts.
 */
export function chiSquareTest(
  observed: ArrayLike<number>,
  expected?: ArrayLike<number>,
  { ddof = 0 }: { ddof?: number } = {},
): { statistic: number; df: number; p: number } {
  const total = sum(observed)
  const each = total / observed.length
  if (expected !== undefined) {
    if (expected.length !== observed.length) throw new RangeError("observed and expected differ in length")
    const wanted = sum(expected)
    if (Math.abs(wanted - total) > 1e-8 * Math.max(total, wanted)) {
      throw new RangeError("observed and expected differ in their sum")
    }
  }
  let statistic = 0
  for (let i = 0; i < observed.length; i++) {
    const mean = expected === undefined ? each : expected[i]
    statistic += (observed[i] - mean) ** 2 / mean
  }
  const df = observed.length - 1 - ddof
  return { statistic, df, p: chiSquareTail(statistic, df) }
}

function sum(values: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]
  return total
}
