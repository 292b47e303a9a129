import type { Rational } from "#dist/kernels/noise/rational.js"

/**
 * ⌊e^−x · 2^bits⌋ from Taylor's series in exact fractions, without any rounding. The partial sums converge from both
 * sides, and are taken until both have the same floor.
 */
export function floorExp({ numerator, denominator }: Rational, bits: number): bigint {
  const one = 1n << BigInt(bits)
  let [top, bottom] = [1n, 1n] // the size of the term, as a fraction with the same denominator as the sum
  let sum = 1n
  let previous = 0n
  for (let i = 1n; ; i++) {
    // Σ over bottom → Σ·(denominator·i) over bottom·denominator·i
    bottom *= denominator * i
    top *= numerator
    previous = sum * denominator * i
    sum = previous + (i % 2n === 1n ? -top : top)
    const falling = numerator < denominator * (i + 1n)
    if (falling && (sum * one) / bottom === (previous * one) / bottom && sum > 0n && previous > 0n) {
      return (sum * one) / bottom
    }
  }
}
