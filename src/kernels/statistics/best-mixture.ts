import { bisect } from "./bisect.ts"

/**
 * The share λ in [0, 1] of chances p for which Σ ln(λ p + (1 − λ) q) is largest, q being one chance for all. The sum is concave in λ:
 * where its slope Σ (p − q) / (λ p + (1 − λ) q) changes its sign, it is largest.
 */
export function bestMixture(chances: ArrayLike<number>, q: number): number {
  const slope = (share: number) => {
    let sum = 0
    for (let i = 0; i < chances.length; i++) sum += (chances[i] - q) / (share * chances[i] + (1 - share) * q)
    return sum
  }
  if (slope(0) <= 0) return 0
  return slope(1) >= 0 ? 1 : bisect((share) => slope(share) > 0, { low: 0, high: 1 })
}
