/** A rational number; the denominator is positive. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

const decimal = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i

/** The exact value of a decimal text such as `0.1` or `2.5e-3`, not the nearest binary fraction. */
export function rationalOf(text: string): Rational {
  const parts = decimal.exec(text)
  if (parts === null) throw new RangeError("not a decimal number")
  const [, sign, whole, fraction = "", exponent = "0"] = parts
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n)
  const shift = Number(exponent) - fraction.length
  const power = 10n ** BigInt(Math.abs(shift))
  return reduce(shift < 0 ? { numerator: digits, denominator: power } : { numerator: digits * power, denominator: 1n })
}

/** The scale Δ/ε of Laplace noise, for an integer sensitivity Δ (contributions times bound) and ε as decimal text. */
export function laplaceScale({ sensitivity, epsilon }: { sensitivity: bigint; epsilon: string }): Rational {
  const { numerator, denominator } = rationalOf(epsilon)
  if (numerator <= 0n || sensitivity <= 0n) throw new RangeError("sensitivity and epsilon must be above 0")
  return reduce({ numerator: sensitivity * denominator, denominator: numerator })
}

/** The nearest double, or one next to it. For sizes and displays only: it never decides a draw. */
export function approximate({ numerator, denominator }: Rational): number {
  const negative = numerator < 0n
  const top = negative ? -numerator : numerator
  // 80 significant bits of the quotient are more than a double has.
  const shift = 80 + bitLength(denominator) - bitLength(top)
  const quotient = shift >= 0 ? (top << BigInt(shift)) / denominator : top / (denominator << BigInt(-shift))
  const value = Number(quotient) * 2 ** -shift
  return negative ? -value : value
}

/** The number of binary digits of a non-negative integer; 0 for 0. */
export function bitLength(n: bigint): number {
  if (n === 0n) return 0
  const hex = n.toString(16)
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex[0], 16)))
}

function reduce({ numerator, denominator }: Rational): Rational {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator]
  while (b !== 0n) [a, b] = [b, a % b]
  return { numerator: numerator / a, denominator: denominator / a }
}
