import { studentQuantile, studentTail, studentUpperTail } from "./student.ts"

/** Result of a paired t-test of the difference a − b. */
export interface PairedT {
  /** Mean of a − b. */
  mean: number
  statistic: number
  df: number
  /** Two-sided p-value of the hypothesis that the mean difference is 0. */
  p: number
  /** Confidence interval of the mean difference. */
  interval: [number, number]
}

/** Result of two one-sided tests of the difference a − b. */
export interface Equivalence {
  mean: number
  df: number
  /**
   * p-value of the hypothesis that the mean difference is at or beyond ±margin: the larger of the two one-sided
   * p-values.
   */
  p: number
  /**
   * One-sided p-values of the hypotheses that the mean difference is −margin or less, and that it is +margin or more.
   */
  pLower: number
  pUpper: number
}

/** Values in the order of the pairs. */
export type Sample = ArrayLike<number>

/**
 * Student's paired t-test. If all differences are equal, the error is 0: the statistic is infinite and p = 0. If all
 * differences are 0, both are NaN, as in SciPy. Fewer than two pairs give NaN.
 */
export function pairedTTest(a: Sample, b: Sample, { confidence = 0.95 }: { confidence?: number } = {}): PairedT {
  const { mean, error, df } = differences(a, b)
  const statistic = mean / error
  const spread = df > 0 ? studentQuantile(1 - confidence, df) * error : Number.NaN
  return { mean, statistic, df, p: studentTail(statistic, df), interval: [mean - spread, mean + spread] }
}

/**
 * Two one-sided tests (Schuirmann 1987). A small p says that the mean difference is within ±margin. p is at most α
 * exactly if the interval of confidence 1 − 2α is within the margin.
 */
export function pairedEquivalence(a: Sample, b: Sample, { margin }: { margin: number }): Equivalence {
  const { mean, error, df } = differences(a, b)
  const pLower = studentUpperTail((mean + margin) / error, df)
  const pUpper = studentUpperTail((margin - mean) / error, df)
  return { mean, df, p: Math.max(pLower, pUpper), pLower, pUpper }
}

function differences(a: Sample, b: Sample): { mean: number; error: number; df: number } {
  if (a.length !== b.length) throw new RangeError("the two samples are not paired")
  const n = a.length
  let mean = 0
  for (let i = 0; i < n; i++) mean += (a[i] - b[i]) / n
  let squares = 0
  for (let i = 0; i < n; i++) squares += (a[i] - b[i] - mean) ** 2
  return { mean, error: Math.sqrt(squares / (n - 1) / n), df: n - 1 }
}
