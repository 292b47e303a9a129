import { bitLength, type Rational } from "./rational.ts"

/** Bounds of a real number in [0, 1], as integer multiples of 2^−bits: low ≤ value · 2^bits ≤ high. */
export interface Bounds {
  readonly low: bigint
  readonly high: bigint
}

/** ⌈a / b⌉ of non-negative integers. */
function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}

export function multiply(x: Bounds, y: Bounds, bits: number): Bounds {
  const shift = BigInt(bits)
  return { low: (x.low * y.low) >> shift, high: ((x.high * y.high) >> shift) + 1n }
}

export function complement({ low, high }: Bounds, bits: number): Bounds {
  const one = 1n << BigInt(bits)
  return { low: high > one ? 0n : one - high, high: one - low }
}

/** x / y for 0 ≤ x ≤ y, 0 < y. Returns [0, 1], which says nothing, if y may still be 0. */
export function divide(x: Bounds, y: Bounds, bits: number): Bounds {
  const shift = BigInt(bits)
  const one = 1n << shift
  if (y.low <= 0n) return { low: 0n, high: one }
  const low = (x.low << shift) / y.high
  const high = divideUp(x.high << shift, y.low)
  return high > one ? { low, high: one } : { low, high }
}

/** x^exponent by squaring. Intermediate results have as many extra bits as the errors can grow. */
export function power(x: (bits: number) => Bounds, exponent: bigint, bits: number): Bounds {
  const length = bitLength(exponent)
  const guard = 2 * length + 8
  const wide = bits + guard
  const base = x(wide)
  let result: Bounds = { low: 1n << BigInt(wide), high: 1n << BigInt(wide) }
  for (let bit = length - 1; bit >= 0; bit--) {
    result = multiply(result, result, wide)
    if ((exponent >> BigInt(bit)) & 1n) result = multiply(result, base, wide)
  }
  return round(result, guard)
}

/**
 * e^−x for a rational x ≥ 0: Taylor's series of e^−y with y = x/2ᵏ < ½, squared k times. Terms are rounded outwards. An
 * alternating series with falling terms is between any two consecutive partial sums.
 */
export function expBounds({ numerator, denominator }: Rational, bits: number): Bounds {
  const halvings = bitLength(numerator / denominator) + 1
  const guard = halvings + 16
  const wide = bits + guard
  const shift = BigInt(wide)
  const y = (numerator << shift) / (denominator << BigInt(halvings))
  // `term` bounds yⁱ/i!, and `sum` bounds the partial sum.
  let term: Bounds = { low: 1n << shift, high: 1n << shift }
  let sum: Bounds = term
  for (let i = 1n; term.high > 1n; i++) {
    term = { low: (term.low * y) / (i << shift), high: divideUp(term.high * y, i << shift) }
    sum =
      i % 2n === 1n
        ? { low: sum.low - term.high, high: sum.high - term.low }
        : { low: sum.low + term.low, high: sum.high + term.high }
  }
  // The omitted rest of the series is at most its last term (≤ 1). y was rounded down by less than 1, so e^−y is off by
  // less.
  let result: Bounds = { low: sum.low - 2n, high: sum.high + 1n }
  for (let i = 0; i < halvings; i++) result = multiply(result, result, wide)
  return round(result, guard)
}

/** The same bounds with `drop` bits fewer, rounded outwards. */
function round({ low, high }: Bounds, drop: number): Bounds {
  const shift = BigInt(drop)
  return { low: low >> shift, high: (high >> shift) + 1n }
}
