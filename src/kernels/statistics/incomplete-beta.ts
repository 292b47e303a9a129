import { continuedFraction } from "./continued-fraction.ts"
import { binomialDensity } from "./stirling.ts"

interface BetaPoint {
  x: number
  /** 1 − x, passed separately: near 1 the difference would have no digits left. */
  y: number
  a: number
  b: number
}

/**
 * The regularised incomplete beta function Iₓ(a, b), for a, b > 0. Its relative error is near 1e-13, even if it is
 * tiny.
 */
export function incompleteBeta({ x, y, a, b }: BetaPoint): number {
  if (x <= 0) return 0
  if (y <= 0) return 1
  // On this side of the mean the continued fraction converges fast. On the other side I is not small.
  if (x * (a + b + 2) >= a + 1) return 1 - incompleteTail({ x: y, y: x, a: b, b: a })
  return incompleteTail({ x, y, a, b })
}

/** DLMF 8.17.22: Iₓ(a, b) = x^a y^b / (a B(a, b)) · 1/(1 + d₁/(1 + d₂/(1 + …))). */
function incompleteTail({ x, y, a, b }: BetaPoint): number {
  // x^a y^b / (a B(a, b)) in terms of the binomial density: Γ(a + b) = Γ(a + b + 1)/(a + b), and so on.
  const front = (binomialDensity({ x, y, a, b }) * b) / (a + b)
  const fraction = continuedFraction(1, (i) => {
    const m = i >> 1
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    return [i % 2 === 0 ? even : odd, 1]
  })
  return front / fraction
}
