import { mixHash, randomHashSeed } from "./dictionary.ts"

/**
 * Numbers pairs of numbers. Open addressing with linear probing. A slot holds (a, b, number + 1), so a look-up touches
 * one cache line. The caller chooses the number of a new pair.
 */
export class PairTable {
  #slots: Int32Array
  #mask: number
  #held = 0
  readonly #seed = randomHashSeed()

  constructor(options: { expected: number }) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, options.expected * 1.5)))
    this.#slots = new Int32Array(capacity * 3)
    this.#mask = capacity - 1
  }

  /**
   * Brings the slots of these pairs into the cache. Look-ups in a large table wait for memory; here they wait together.
   * Returns a number only so that the reads are not optimised away.
   */
  warm(as: Int32Array, bs: Int32Array, count: number): number {
    const slots = this.#slots
    let sink = 0
    for (let i = 0; i < count; i++) sink ^= slots[this.#home(as[i], bs[i]) * 3]
    return sink
  }

  /** The number of (a, b). A new pair gets the number `next`. */
  intern(a: number, b: number, next: number): number {
    const slots = this.#slots
    let slot = this.#home(a, b)
    for (;;) {
      const at = slot * 3
      const number = slots[at + 2] - 1
      if (number < 0) break
      if (slots[at] === a && slots[at + 1] === b) return number
      slot = (slot + 1) & this.#mask
    }
    slots[slot * 3] = a
    slots[slot * 3 + 1] = b
    slots[slot * 3 + 2] = next + 1
    if (++this.#held * 3 > this.#mask * 2) this.#grow()
    return next
  }

  /** The number of (a, b), or -1. */
  find(a: number, b: number): number {
    const slots = this.#slots
    for (let slot = this.#home(a, b); slots[slot * 3 + 2] !== 0; slot = (slot + 1) & this.#mask) {
      if (slots[slot * 3] === a && slots[slot * 3 + 1] === b) return slots[slot * 3 + 2] - 1
    }
    return -1
  }

  #home(a: number, b: number): number {
    return mixHash(Math.imul(a ^ this.#seed, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)) & this.#mask
  }

  #grow(): void {
    const old = this.#slots
    const capacity = (this.#mask + 1) * 2
    this.#slots = new Int32Array(capacity * 3)
    this.#mask = capacity - 1
    const slots = this.#slots
    for (let i = 0; i < old.length; i += 3) {
      if (old[i + 2] === 0) continue
      let slot = this.#home(old[i], old[i + 1])
      while (slots[slot * 3 + 2] !== 0) slot = (slot + 1) & this.#mask
      slots[slot * 3] = old[i]
      slots[slot * 3 + 1] = old[i + 1]
      slots[slot * 3 + 2] = old[i + 2]
    }
  }
}
