import type { Rational } from "../../kernels/noise/rational.ts"

/** a/b in lowest terms; b > 0. */
export function fraction(numerator: bigint, denominator: bigint): Rational {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator]
  while (b !== 0n) [a, b] = [b, a % b]
  return { numerator: numerator / a, denominator: denominator / a }
}

export const zero: Rational = { numerator: 0n, denominator: 1n }

export function times(x: Rational, y: Rational): Rational {
  return fraction(x.numerator * y.numerator, x.denominator * y.denominator)
}

export function plus(x: Rational, y: Rational): Rational {
  return fraction(x.numerator * y.denominator + y.numerator * x.denominator, x.denominator * y.denominator)
}

/** x/y for y > 0. */
export function over(x: Rational, y: Rational): Rational {
  return fraction(x.numerator * y.denominator, x.denominator * y.numerator)
}

export const whole = (n: number): Rational => ({ numerator: BigInt(n), denominator: 1n })

/** Formats a fraction for a ledger: "3", or "1/1000000". */
export function formatFraction({ numerator, denominator }: Rational): string {
  return denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`
}
