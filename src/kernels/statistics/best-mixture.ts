import { bisect } from "./bisect.ts"

/**
 * The share λ in [0, 1] that maximises Σ ln(λ p + (1 − λ) q) over the chances p, where q is the same for all. The sum
 * is concave in λ, so its maximum is where its slope Σ (p − q) / (λ p + (1 − λ) q) changes sign.
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
