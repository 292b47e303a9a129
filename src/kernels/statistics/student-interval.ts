import { studentQuantile } from "./student.ts"

/**
 * The mean of independent values and its confidence interval by Student's t: m ± t √(Σ (x - m)² / (n - 1) / n). A
 * single value has no interval, nor have values that are all equal.
 */
export function studentInterval(
  values: readonly number[],
  { confidence = 0.95 }: { confidence?: number } = {},
): { mean: number; interval?: [number, number] } {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  if (n < 2 || squares === 0) return { mean }
  const spread = studentQuantile(1 - confidence, n - 1) * Math.sqrt(squares / (n - 1) / n)
  return { mean, interval: [mean - spread, mean + spread] }
}
