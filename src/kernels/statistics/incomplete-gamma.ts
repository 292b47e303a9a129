import { continuedFraction } from "./continued-fraction.ts"
import { poissonDensity } from "./stirling.ts"

/**
 * The regularised upper incomplete gamma function Q(a, x) = Γ(a, x) / Γ(a), for a ≥ ½ and x ≥ 0. Its relative error is
 * near 1e-13, even if Q is tiny. Below x = a + 1, where Q is not small, it uses the series of P = 1 − Q; above,
 * Legendre's continued fraction.
 */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  if (x === Number.POSITIVE_INFINITY) return 0
  const density = poissonDensity(a, x)
  if (x >= a + 1) {
    // Q = x^a e^−x / Γ(a) · 1/(x + 1 − a − 1(1 − a)/(x + 3 − a − …))
    return (density * a) / continuedFraction(x + 1 - a, (i) => [i * (a - i), x + 2 * i + 1 - a])
  }
  // P = x^a e^−x / Γ(a + 1) · (1 + x/(a + 1) + x²/((a + 1)(a + 2)) + …)
  let sum = 1
  let term = 1
  for (let i = 1; term > sum * Number.EPSILON * 0.5; i++) {
    term *= x / (a + i)
    sum += term
  }
  return 1 - density * sum
}
