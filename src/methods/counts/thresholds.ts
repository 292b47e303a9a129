import { type Bounds, complement, expBounds, power } from "../../kernels/noise/bounds.ts"
import { approximate, bitLength, type Rational } from "../../kernels/noise/rational.ts"
import { over, times, whole } from "./fractions.ts"

/** Inputs of a threshold, for one table. */
export interface ThresholdOptions {
  epsilon: Rational
  delta: Rational
  /** Most keys of one user. */
  l0: number
  /** Most that one user adds to one key. */
  perKey: number
}

/**
 * The smallest noisy count at which a key of the log is shown, τ = c + m. Consider a key that only one user has, who
 * adds at most c. It is shown with a chance of at most P(X ≥ m) = a^m/(1 + a), a = e^(−ε/(ℓ₀c)). At least one of the
 * user's ℓ₀ keys is shown with a chance of at most 1 − (1 − a^m/(1 + a))^ℓ₀. m is the smallest integer for which that
 * is at most δ:
 *
 *   m = ⌈(ℓ₀c/ε) · ln(1/(δ_p(1 + a)))⌉,  δ_p = 1 − (1 − δ)^(1/ℓ₀)
 *
 * Floating point only gives a first guess. The inequality is decided in integers, with bounds on both sides.
 */
export function laplaceThreshold(options: ThresholdOptions): number {
  const { epsilon, delta, l0, perKey } = options
  const rate = over(epsilon, whole(l0 * perKey))
  const a = Math.exp(-approximate(rate))
  const guess = Math.log(1 / (perKeyDelta(approximate(delta), l0) * (1 + a))) / approximate(rate)
  const tail = (m: number, bits: number): Bounds => {
    const one = 1n << BigInt(bits)
    const ratio = expBounds(rate, bits)
    const tail = expBounds(times(rate, whole(m)), bits)
    return { low: (tail.low * one) / (one + ratio.high), high: (tail.high * one) / (one + ratio.low) + 1n }
  }
  return perKey + least(guess, (m) => staysUnder(delta, l0, (bits) => tail(m, bits)))
}

/**
 * The k of noise that is truncated to [−k, k]: P(X = x) = (1 − a)/(1 + a − 2a^(k+1)) · a^|x|, a = e^(−ε/ℓ₀). A key is
 * shown if its noisy count exceeds k. So a key of one user is shown with the chance P(X = k), which may be at most δ_p.
 * Desfontaines, Voss, Gipson & Mandayam 2022, "Differentially private partition selection".
 */
export function truncation(options: Omit<ThresholdOptions, "perKey">): number {
  const { epsilon, delta, l0 } = options
  const rate = over(epsilon, whole(l0))
  // expm1, because e^rate − 1 loses its digits for a small rate, and the guess would be far off.
  const [grown, d] = [Math.expm1(approximate(rate)), perKeyDelta(approximate(delta), l0)]
  const guess = Math.log((grown + 2 * d) / ((grown + 2) * d)) / approximate(rate)
  const chance = (k: number, bits: number): Bounds => {
    const one = 1n << BigInt(bits)
    const ratio = expBounds(rate, bits)
    const edge = expBounds(times(rate, whole(k)), bits)
    const next = expBounds(times(rate, whole(k + 1)), bits)
    const below = { low: one + ratio.low - 2n * next.high, high: one + ratio.high - 2n * next.low }
    return {
      low: ((one - ratio.high) * edge.low) / below.high,
      high: ((one - ratio.low) * edge.high) / below.low + 1n,
    }
  }
  return least(guess, (k) => staysUnder(delta, l0, (bits) => chance(k, bits)))
}

/**
 * The smallest noisy count at which a query is released if one user may add their d searches to any queries: K + 1 of
 * Korolova et al. 2009. A query that only this user issued, w times, is released with the chance
 *
 *   P(X ≥ T − w) = a^(T−w)/(1 + a),  a = e^(−1/b),  for T ≥ d ≥ w.
 *
 * Consider all ways to spread d searches over queries. Since a^(−w) is convex in w, the sum of these chances is largest
 * at an extreme: all on one query, or each on its own. So δ is kept if
 *
 *   max(a^(T−d), d·a^(T−1))/(1 + a) ≤ δ,  T = d + m,
 *
 * and T is the smallest such number. (The paper has δ = (d/2)·e^((d−K)/b) for continuous noise, which bounds both
 * extremes at once.) The inequality is decided in integers, as above.
 */
export function searchesThreshold(options: { scale: Rational; delta: Rational; searches: number }): number {
  const { scale, delta, searches } = options
  const rate = over(whole(1), scale)
  const bits = 128 + bitLength(delta.denominator)
  const one = 1n << BigInt(bits)
  const ratio = expBounds(rate, bits)
  const passes = (m: number) => {
    const together = expBounds(times(rate, whole(m)), bits).high
    const apart = BigInt(searches) * expBounds(times(rate, whole(m + searches - 1)), bits).high
    return [together, apart].every((power) => {
      const chance = (power * one) / (one + ratio.low) + 1n
      return chance * delta.denominator <= delta.numerator << BigInt(bits)
    })
  }
  const [r, a] = [approximate(rate), Math.exp(-approximate(rate))]
  const odds = Math.log(1 / (approximate(delta) * (1 + a)))
  return searches + least(Math.max(odds / r, (odds + Math.log(searches)) / r + 1 - searches), passes)
}

/** δ_p = 1 − (1 − δ)^(1/ℓ₀): ℓ₀ independent chances of δ_p make δ together. */
function perKeyDelta(delta: number, l0: number): number {
  return -Math.expm1(Math.log1p(-delta) / l0)
}

/** The smallest integer ≥ 0 that passes. `passes` is false up to some number and true from there on. */
function least(guess: number, passes: (m: number) => boolean): number {
  let m = Number.isFinite(guess) ? Math.max(0, Math.floor(guess)) : 0 // an ε beyond all doubles: few steps from 0
  while (!passes(m)) m++
  while (m > 0 && passes(m - 1)) m--
  return m
}

/** True if (1 − chance)^ℓ₀ ≥ 1 − δ for certain. Decided with bounds, so rounding can only turn true into false. */
function staysUnder(delta: Rational, l0: number, chance: (bits: number) => Bounds): boolean {
  const bits = 128 + bitLength(delta.denominator)
  const stays = power((wide) => complement(chance(wide), wide), BigInt(l0), bits)
  return stays.low * delta.denominator >= (delta.denominator - delta.numerator) << BigInt(bits)
}
