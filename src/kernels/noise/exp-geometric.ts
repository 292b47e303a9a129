import type { RandomSource } from "../random.ts"
import { expBounds } from "./bounds.ts"
import { createGeometric, type Powers } from "./geometric.ts"
import type { Fill } from "./inversion.ts"
import { approximate, type Rational } from "./rational.ts"

const largestScale = 2 ** 40

/** Powers of e^(−1/scale). */
export function expPowers({ numerator, denominator }: Rational): Powers {
  return (exponent, bits) => expBounds({ numerator: exponent * denominator, denominator: numerator }, bits)
}

/**
 * Draws geometric numbers with ratio e^(−1/scale), exactly. A value beyond 2⁵² throws; its chance is at most e^(−4096).
 */
export function createExpGeometric(scale: Rational, random: RandomSource): Fill<Float64Array> {
  const about = approximate(scale)
  if (!(scale.numerator > 0n && scale.denominator > 0n && about <= largestScale)) {
    throw new RangeError("the scale must be above 0 and at most 2⁴⁰")
  }
  return createGeometric(expPowers(scale), random, { scale: about })
}
