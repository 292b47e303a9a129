/**
 * Which queries of which users were released, by hashes of 64 bits: at least the last `most` of them, at most twice as many.
 * A pair that meets another's hash is taken for released, so that a query more is withheld and never one too few.
 */
export class ReleasedPairs {
  readonly #most: number
  #young: PairSet
  #old: PairSet | undefined

  constructor({ most }: { most: number }) {
    this.#most = most
    this.#young = new PairSet(most)
  }

  has(high: number, low: number): boolean {
    return this.#young.has(high, low) || this.#old?.has(high, low) === true
  }

  add(high: number, low: number): void {
    if (this.#young.size >= this.#most) {
      this.#old = this.#young
      this.#young = new PairSet(this.#most)
    }
    this.#young.add(high, low)
  }
}

/** At most `most` pairs of words, by open addressing; a slot whose second word is 0 is empty, so 0 stands for 1 there. */
class PairSet {
  size = 0
  readonly #slots: Uint32Array
  readonly #mask: number

  constructor(most: number) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, most * 1.4)))
    this.#slots = new Uint32Array(capacity * 2) // its pages are taken as they are used
    this.#mask = capacity - 1
  }

  has(high: number, low: number): boolean {
    return this.#slots[this.#find(high, low) + 1] !== 0
  }

  add(high: number, low: number): void {
    const slot = this.#find(high, low)
    if (this.#slots[slot + 1] !== 0) return
    this.#slots[slot] = high
    this.#slots[slot + 1] = low === 0 ? 1 : low
    this.size++
  }

  /** The slot of a pair, or the empty one where it would be. */
  #find(high: number, low: number): number {
    const word = low === 0 ? 1 : low
    const slots = this.#slots
    let slot = (high ^ Math.imul(low, 0x9e3779b1)) & this.#mask
    while (slots[slot * 2 + 1] !== 0 && (slots[slot * 2 + 1] !== word || slots[slot * 2] !== high))
      slot = (slot + 1) & this.#mask
    return slot * 2
  }
}
