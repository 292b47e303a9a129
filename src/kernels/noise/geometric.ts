import type { RandomSource } from "../random.ts"
import { type Bounds, complement, divide, multiply } from "./bounds.ts"
import { blockSize, createInversion, type Fill } from "./inversion.ts"

/** Bounds of ratio^exponent, in steps of 2^−bits. */
export type Powers = (exponent: bigint, bits: number) => Bounds

interface GeometricOptions {
  /** −1/log(ratio), approximately. It sets the sizes of tables, not the distribution. */
  scale: number
  /** Values at or above this need not be distinguished: any number from here on, or Infinity, may represent them. */
  limit?: number
}

const radix = 1024
/**
 * The highest digit's scale is at most 1,024. Its table covers 8 scales: 8,192 entries, exceeded once in 3,000 draws.
 */
const widestTop = 1024
const scalesCovered = 8
const largest = 2 ** 52

/**
 * Draws G ≥ 0 with P(G = g) = (1 − ρ)·ρ^g exactly, for transcendental ρ with 0 < ρ < 1. The time does not grow with the
 * scale.
 *
 * G = d₀ + d₁·R + … + q·Rᴸ in base R = 1024. As ρ^g = ρ^d₀ · (ρ^R)^d₁ · …, the digits are independent: dᵢ is geometric
 * with ratio ρ^(Rⁱ), truncated at R, and q is geometric with ratio ρ^(Rᴸ). Each digit has a table and is drawn by
 * inversion. The table of q ends at K with the outcome "K or more". Given that outcome, q − K is again geometric with
 * the same ratio: q = K + another draw.
 */
export function createGeometric(powers: Powers, random: RandomSource, options: GeometricOptions): Fill<Float64Array> {
  const { scale, limit = Number.POSITIVE_INFINITY } = options
  let place = 1
  while (scale / place > widestTop && place < limit) place *= radix
  const end = Math.max(1, Math.min(Math.ceil((scalesCovered * scale) / place), Math.ceil(limit / place)))
  const top = createInversion((bits) => openCumulative(powers(BigInt(place), bits), end, bits), random)
  const codes = new Uint16Array(blockSize)
  const single = new Uint16Array(1)

  const drawBeyond = (): number => {
    for (let above = end; ; above += end) {
      if (above * place >= limit) return Number.POSITIVE_INFINITY
      if (above * place > largest) throw new RangeError("a draw beyond 2⁵²")
      top(single)
      if (single[0] < end) return (above + single[0]) * place
    }
  }
  // Tables are built when first needed. If draws hardly ever stay below the limit, some are never needed.
  const digits = new Map<number, Fill<Uint16Array>>()
  const addDigit = (at: number, out: Float64Array) => {
    const digit = digits.get(at) ?? createInversion((bits) => closedCumulative(powers(BigInt(at), bits), bits), random)
    digits.set(at, digit)
    const some = codes.subarray(0, out.length)
    digit(some)
    for (let i = 0; i < out.length; i++) out[i] += some[i] * at
  }
  return (out) => {
    const some = codes.subarray(0, out.length)
    top(some)
    let beyond = 0
    for (let i = 0; i < out.length; i++) {
      out[i] = some[i] * place
      if (some[i] === end) {
        out[i] = drawBeyond()
        if (out[i] >= limit) beyond++
      }
    }
    if (beyond === out.length) return
    for (let at = place / radix; at >= 1; at /= radix) addDigit(at, out)
  }
}

/** P(q ≤ j) = 1 − ρ^(j + 1), j < end; then "end or more". */
function openCumulative(ratio: Bounds, end: number, bits: number): Bounds[] {
  return listPowers(ratio, end, bits).map((bounds) => complement(bounds, bits))
}

/** P(d ≤ j) = (1 − ρ^(j + 1)) / (1 − ρ^R), j < R − 1; then R − 1. */
function closedCumulative(ratio: Bounds, bits: number): Bounds[] {
  const open = openCumulative(ratio, radix, bits)
  const all = open[radix - 1]
  return open.slice(0, -1).map((bounds) => divide(bounds, all, bits))
}

/** ρ, ρ², …, ρ^count. */
function listPowers(ratio: Bounds, count: number, bits: number): Bounds[] {
  const list = [ratio]
  while (list.length < count) list.push(multiply(list[list.length - 1], ratio, bits))
  return list
}
