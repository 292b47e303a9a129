/**
 * Counts by sorting: returns the pairs (a, b) of two columns as 64-bit keys in ascending order. This deliberately
 * differs from the methods' own counters, which rely on the log's row order.
 */
export function sortPairs(a: Int32Array, b: Int32Array): BigUint64Array {
  const keys = new BigUint64Array(a.length)
  const words = new Uint32Array(keys.buffer)
  const low = isLittleEndian ? 0 : 1
  for (let i = 0; i < a.length; i++) {
    words[2 * i + low] = b[i]
    words[2 * i + 1 - low] = a[i]
  }
  return keys.sort()
}

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

/** Counts the distinct b that occur with each a in [0, size). Pairs with a = -1 are ignored. */
export function countDistinctPairs(a: Int32Array, b: Int32Array, size: number): Uint32Array {
  const counts = new Uint32Array(size)
  const keys = sortPairs(a, b)
  const words = new Uint32Array(keys.buffer)
  const high = isLittleEndian ? 1 : 0
  for (let i = 0; i < keys.length; i++) {
    if (i > 0 && keys[i] === keys[i - 1]) continue
    const value = words[2 * i + high]
    if (value < size) counts[value]++
  }
  return counts
}

/**
 * 64-bit keys of a few integers under secret seeds, as two columns for `sortPairs`. Equal rows have equal keys. Two
 * different rows have the same key with a probability near 2⁻⁶⁴, whoever chose the rows.
 */
export class RowKeys {
  readonly high: Int32Array
  readonly low: Int32Array
  readonly #seeds: Uint32Array

  constructor(rows: number, seeds: Uint32Array) {
    this.high = new Int32Array(rows)
    this.low = new Int32Array(rows)
    this.#seeds = seeds
  }

  set(row: number, a: number, b: number, c = 0, d = 0): void {
    this.high[row] = mixRow(this.#seeds, 0, a, b, c, d)
    this.low[row] = mixRow(this.#seeds, 5, a, b, c, d)
  }

  sorted(): BigUint64Array {
    return sortPairs(this.high, this.low)
  }
}

/** How many random words `RowKeys` needs. */
export const rowKeySeeds = 10

function mixRow(seeds: Uint32Array, base: number, a: number, b: number, c: number, d: number): number {
  let h = seeds[base]
  h = Math.imul(h ^ (a + seeds[base + 1]), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15) ^ (b + seeds[base + 2]), 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 14) ^ (c + seeds[base + 3]), 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 15) ^ (d + seeds[base + 4]), 0x165667b1)
  h = Math.imul(h ^ (h >>> 13), 0x9e3779b1)
  return h ^ (h >>> 16)
}

/**
 * True if every key of `part` is in `whole` at least as often. Both are sorted. If the lengths are equal too, so are
 * the lists.
 */
export function isContained(part: BigUint64Array, whole: BigUint64Array): boolean {
  let at = 0
  for (const key of part) {
    while (at < whole.length && whole[at] < key) at++
    if (at === whole.length || whole[at] !== key) return false
    at++
  }
  return true
}
