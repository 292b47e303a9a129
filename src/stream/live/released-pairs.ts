/** Notes each pair that is remembered, and the number of the generation that it belongs to. */
export interface PairLog {
  pair(high: number, low: number, generation: number): void
}

/**
 * Which queries of which users were released. Pairs are known by 64-bit hashes, of which 40 bits are used. At least
 * the last `most` pairs are remembered, at most twice as many.
 *
 * A pair that was not released is taken for released with a chance of about 1 in 10,000 for each half that is full.
 * Then one query too many is withheld, never one too few.
 */
export class ReleasedPairs {
  readonly #most: number
  readonly #log: Partial<PairLog>
  #young: PairSet
  #old: PairSet | undefined
  /** The number of the younger half. The older half has the number before. */
  #generation = 0

  constructor({ most, log = {} }: { most: number; log?: Partial<PairLog> }) {
    this.#most = most
    this.#log = log
    this.#young = new PairSet(most)
  }

  /** True if a pair with this hash is remembered. */
  has(high: number, low: number): boolean {
    return this.#young.has(high, low) || this.#old?.has(high, low) === true
  }

  /**
   * Reads the memory that `has` and `add` will need for the first `count` pairs, by the high halves of their hashes.
   * Returns a number only so that the reads are not optimised away.
   */
  warm(high: Uint32Array, count: number): number {
    return this.#young.warm(high, count) ^ (this.#old?.warm(high, count) ?? 0)
  }

  /** Remembers the hash of a pair. */
  add(high: number, low: number): void {
    if (this.#young.size >= this.#most) this.#age()
    if (this.#young.add(high, low)) this.#log.pair?.(high, low, this.#generation)
  }

  /** Remembers pairs, two words each, in this generation, which is the present or a later one. */
  restore(generation: number, pairs: Uint32Array): void {
    while (this.#generation < generation) this.#age()
    for (let i = 0; i < pairs.length; i += 2) this.#young.add(pairs[i], pairs[i + 1])
  }

  #age(): void {
    this.#old = this.#young
    this.#young = new PairSet(this.#most)
    this.#generation++
  }
}

/**
 * Fingerprints of at most `most` pairs, by open addressing with linear probing. 0 marks an empty slot, so fingerprint 0
 * is stored as 1.
 */
class PairSet {
  size = 0
  readonly #slots: Uint16Array
  readonly #mask: number

  constructor(most: number) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, most * 1.4)))
    this.#slots = new Uint16Array(capacity) // the system allocates its pages as they are used
    this.#mask = capacity - 1
  }

  warm(high: Uint32Array, count: number): number {
    let sink = 0
    for (let i = 0; i < count; i++) sink ^= this.#slots[high[i] & this.#mask]
    return sink
  }

  /** True if a pair with this hash is remembered. */
  has(high: number, low: number): boolean {
    return this.#slots[this.#find(high, low)] !== 0
  }

  /** Remembers the hash of a pair. False if it was remembered before. */
  add(high: number, low: number): boolean {
    const slot = this.#find(high, low)
    if (this.#slots[slot] !== 0) return false
    this.#slots[slot] = fingerprint(low)
    this.size++
    return true
  }

  /** The slot of a pair, or the empty slot where it would go. */
  #find(high: number, low: number): number {
    const print = fingerprint(low)
    const slots = this.#slots
    let slot = high & this.#mask
    while (slots[slot] !== 0 && slots[slot] !== print) slot = (slot + 1) & this.#mask
    return slot
  }
}

const fingerprint = (low: number) => low & 0xffff || 1
