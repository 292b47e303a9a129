import { mixHash, randomHashSeed } from "../kernels/dictionary.ts"

/** The two numbers that an entry is found by. */
export interface TableKeys {
  a(entry: number): number
  b(entry: number): number
}

/**
 * Finds entries by a pair of numbers that the entry itself leads to. Open addressing with linear probing; a slot is one
 * word, the entry + 1 below and as many bits of the hash as there is room for above, so that a strange entry is looked at
 * only when these bits agree. Entries can go again, by shifting back what follows.
 */
export class RecordTable {
  readonly #keys: TableKeys
  readonly #seed = randomHashSeed()
  #slots: Uint32Array
  #mask: number
  #held = 0
  #entryMask = 0xffff

  constructor(keys: TableKeys) {
    this.#keys = keys
    this.#slots = new Uint32Array(64)
    this.#mask = 63
  }

  find(a: number, b: number): number {
    const slots = this.#slots
    const mask = this.#mask
    const entryMask = this.#entryMask
    const keys = this.#keys
    const hash = this.#hash(a, b)
    const tag = hash & ~entryMask
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (((slots[slot] ^ tag) & ~entryMask) !== 0) continue
      const entry = (slots[slot] & entryMask) - 1
      if (keys.a(entry) === a && keys.b(entry) === b) return entry
    }
    return -1
  }

  /** The entry must not be there yet. */
  add(entry: number): void {
    while (entry + 1 > this.#entryMask) this.#rebuild(this.#mask + 1, this.#entryMask * 2 + 1)
    if ((this.#held + 1) * 3 > this.#mask * 2) this.#rebuild((this.#mask + 1) * 2, this.#entryMask)
    this.#held++
    this.#place(entry)
  }

  /** Removes the entry, where it is there. */
  remove(entry: number): void {
    const slots = this.#slots
    const mask = this.#mask
    const entryMask = this.#entryMask
    let hole = this.#homeOf(entry)
    while (slots[hole] !== 0 && (slots[hole] & entryMask) - 1 !== entry) hole = (hole + 1) & mask
    if (slots[hole] === 0) return
    this.#held--
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.#homeOf((slots[slot] & entryMask) - 1)
      // What lies between its home and the hole would not be found any more: it moves into the hole.
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue
      slots[hole] = slots[slot]
      hole = slot
    }
    slots[hole] = 0
  }

  #hash(a: number, b: number): number {
    return mixHash(Math.imul(a ^ this.#seed, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77))
  }

  #homeOf(entry: number): number {
    return this.#hash(this.#keys.a(entry), this.#keys.b(entry)) & this.#mask
  }

  #place(entry: number): void {
    const slots = this.#slots
    const hash = this.#hash(this.#keys.a(entry), this.#keys.b(entry))
    let slot = hash & this.#mask
    while (slots[slot] !== 0) slot = (slot + 1) & this.#mask
    slots[slot] = (hash & ~this.#entryMask) | (entry + 1)
  }

  #rebuild(capacity: number, entryMask: number): void {
    const [old, oldMask] = [this.#slots, this.#entryMask]
    this.#slots = new Uint32Array(capacity)
    this.#mask = capacity - 1
    this.#entryMask = entryMask
    for (const word of old) if (word !== 0) this.#place((word & oldMask) - 1)
  }
}
