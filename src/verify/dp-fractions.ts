import type { DpMechanism } from "../methods/dp-guarantee.ts"

/** The ledger that a release should have. */
export interface Ledger {
  epsilon: Fraction
  delta: Fraction
  mechanisms: DpMechanism[]
}

/** Numerator and denominator. */
export type Fraction = readonly [bigint, bigint]

/** Parses a decimal number as a fraction; undefined if it is not a number. */
export function parse(value: unknown): Fraction | undefined {
  const parts = /^([0-9]+)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,3}))?$/.exec(String(value))
  if (parts === null) return undefined
  const places = parts[2].length - Number(parts[3] ?? 0)
  const digits = BigInt(parts[1] + parts[2])
  return places >= 0 ? reduce(digits, 10n ** BigInt(places)) : reduce(digits * 10n ** BigInt(-places), 1n)
}

/** top/bottom in lowest terms. */
export function reduce(top: bigint, bottom: bigint): Fraction {
  const common = (a: bigint, b: bigint): bigint => (b === 0n ? a : common(b, a % b))
  const divisor = common(top, bottom)
  return [top / divisor, bottom / divisor]
}

/** Formats a fraction as in a ledger. */
export const format = ([top, bottom]: Fraction) => (bottom === 1n ? `${top}` : `${top}/${bottom}`)
