import { binomialTail } from "./binomial.ts"
import { bisect } from "./bisect.ts"
import { incompleteBeta } from "./incomplete-beta.ts"

/** Confidence of an interval (default 0.95), and on which side it is bounded. */
export interface IntervalOptions {
  confidence?: number
  /**
   * `lower`: only the lower end is a bound, and the upper end is 1. `upper`: only the upper end is a bound, and the
   * lower is 0.
   */
  side?: "both" | "lower" | "upper"
}

/**
 * The exact interval of a share (Clopper & Pearson 1934). It contains the true share with at least the given
 * confidence, whatever the share and n. The lower end is the share at which P(X ≥ successes) = α, and the upper end the
 * share at which P(X ≤ successes) = α. α is 1 − confidence, or half of it on each side if both ends are bounds.
 */
export function clopperPearson(
  successes: number,
  n: number,
  { confidence = 0.95, side = "both" }: IntervalOptions = {},
): [number, number] {
  const alpha = side === "both" ? (1 - confidence) / 2 : 1 - confidence
  const failures = n - successes
  const atLeast = (p: number) => binomialTail(successes, n, { p })
  // P(X ≤ k) = I(1 − p; n − k, k + 1). p itself is passed too, because it may be small.
  const atMost = (p: number) => incompleteBeta({ x: 1 - p, y: p, a: failures, b: successes + 1 })
  const range = { low: 0, high: 1 }
  return [
    side === "upper" || successes === 0 ? 0 : bisect((p) => atLeast(p) <= alpha, range),
    side === "lower" || failures === 0 ? 1 : bisect((p) => atMost(p) >= alpha, range),
  ]
}
