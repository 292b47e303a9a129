import type { RandomSource } from "../random.ts"
import type { Bounds } from "./bounds.ts"

/** Fills every element with an independent draw. */
export type Fill<T> = (out: T) => void

/** The largest number of values drawn at a time. */
export const blockSize = 4096
const guideBits = 14
const guideShift = 32 - guideBits

/**
 * Draws outcomes 0 … n by inversion: outcome j if C(j − 1) ≤ U < C(j), where 0 < C(0) < … < C(n − 1) < 1 are irrational
 * and C(n) = 1. `cumulative(bits)` bounds C(0) … C(n − 1) in steps of 2^−bits; more bits give closer bounds. Fills
 * arrays of up to `blockSize`; n < 2¹⁶.
 *
 * Exact: U is uniform on [0, 1), and its binary digits are random words. A word w, the first 32 digits of U, is
 * compared with T(j) = ⌊C(j)·2³²⌋. This integer is known for certain, because both bounds of C(j) have the same floor.
 * If w < T(j), then U < (w + 1)/2³² ≤ C(j). If w > T(j), then U ≥ w/2³² > C(j). Only w = T(j) is undecided. Then 32
 * more digits are compared with ⌊C(j)·2⁶⁴⌋, and so on. So the outcome is always the one that U belongs to, and U is in
 * [C(j − 1), C(j)) with chance C(j) − C(j − 1). No rounded number decides.
 */
export function createInversion(
  cumulative: (bits: number) => readonly Bounds[],
  random: RandomSource,
): Fill<Uint16Array> {
  const floors = memoiseFloors(cumulative)
  // The threshold of the last outcome, 2³², does not fit. So the largest word counts as undecided there too, and
  // `refine` decides.
  const thresholds = Uint32Array.from([...floors(32).map(Number), 0xffff_ffff])
  // By the first digits of U: the first outcome that U may still have.
  const guide = new Uint16Array(1 << guideBits)
  for (let cell = 0, j = 0; cell < guide.length; cell++) {
    while (thresholds[j] < cell * 2 ** guideShift) j++
    guide[cell] = j
  }
  const refine = (from: number, word: number): number => {
    let prefix = BigInt(word)
    let outcome = from
    for (let bits = 64; ; bits += 32) {
      prefix = (prefix << 32n) | BigInt(random.uint32())
      const exact = floors(bits)
      while (outcome < exact.length && prefix > exact[outcome]) outcome++
      if (outcome === exact.length || prefix < exact[outcome]) return outcome
    }
  }
  const page = new Uint32Array(blockSize)
  return (out) => {
    random.fill(page.subarray(0, out.length))
    for (let i = 0; i < out.length; i++) {
      const word = page[i]
      let j = guide[word >>> guideShift]
      while (word > thresholds[j]) j++
      out[i] = word === thresholds[j] ? refine(j, word) : j
    }
  }
}

/** ⌊C(j)·2^bits⌋ for all j. Tightens the bounds until both have the same floor. As C < 1, the floor is below 2^bits. */
function memoiseFloors(cumulative: (bits: number) => readonly Bounds[]): (bits: number) => readonly bigint[] {
  const known = new Map<number, readonly bigint[]>()
  const compute = (bits: number): readonly bigint[] => {
    const one = 1n << BigInt(bits)
    for (let precision = bits + 96; ; precision *= 2) {
      const drop = BigInt(precision - bits)
      const bounds = cumulative(precision)
      const lows = bounds.map(({ low }) => low >> drop)
      const certain = bounds.every(({ high }, j) => {
        const floor = high >> drop
        return floor === lows[j] || (floor === one && lows[j] === one - 1n)
      })
      if (certain) return lows
    }
  }
  return (bits) => {
    const floors = known.get(bits) ?? compute(bits)
    known.set(bits, floors)
    return floors
  }
}
