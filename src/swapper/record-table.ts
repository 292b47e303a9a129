import { mixHash, randomHashSeed } from "../kernels/dictionary.ts"

/** The two numbers that identify an entry. */
export interface TableKeys {
  /** The first key of an entry. */
  a(entry: number): number
  /** The second. */
  b(entry: number): number
}

/** The slots, a power of two, of a table that holds this many entries without being rebuilt. */
export function tableCapacity(entries: number, least: number): number {
  let capacity = least
  while ((entries + 1) * 3 > (capacity - 1) * 2) capacity *= 2
  return capacity
}

/** Marks a slot whose entry was removed. No entry has these bits, because entry + 1 is never 0. */
const gone = 0x80000000

/**
 * Finds entries by a pair of numbers that can be computed from the entry. Open addressing with linear probing. A slot
 * is one word: the low bits are the entry + 1, and the remaining high bits are bits of the hash. So another entry is
 * read only if these bits agree. A removed entry leaves a mark, which the next entry may take. The table is rebuilt
 * when entries and marks fill two thirds of it, with twice the size if the entries alone fill one third.
 */
export class RecordTable {
  readonly #keys: TableKeys
  readonly #seed = randomHashSeed()
  #slots = new Uint32Array(64)
  #mask = 63
  #entryMask = 0xffff
  #entries = 0
  #marks = 0

  constructor(keys: TableKeys) {
    this.#keys = keys
  }

  /** Makes room for this many entries, numbered below it, so that adding them does not rebuild the table. */
  reserve(entries: number): void {
    let entryMask = this.#entryMask
    while (entries > entryMask) entryMask = entryMask * 2 + 1
    const capacity = tableCapacity(entries, this.#slots.length)
    if (capacity > this.#slots.length) this.#rebuild(entryMask, capacity)
  }

  /**
   * The entry that `find` will probably return: its keys are not compared. Reading the table for many pairs of keys in
   * a row takes far less time than reading it for one pair at a time.
   */
  guess(a: number, b: number): number {
    const slots = this.#slots
    const mask = this.#mask
    const hash = this.#hash(a, b)
    let slot = hash & mask
    while (slots[slot] !== 0 && ((slots[slot] ^ hash) & ~this.#entryMask) !== 0) slot = (slot + 1) & mask
    return (slots[slot] & this.#entryMask) - 1
  }

  /** The entry with these keys; -1 if there is none. */
  find(a: number, b: number): number {
    const slots = this.#slots
    const mask = this.#mask
    const entryMask = this.#entryMask
    const keys = this.#keys
    const hash = this.#hash(a, b)
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const word = slots[slot]
      if (((word ^ hash) & ~entryMask) !== 0) continue
      const entry = (word & entryMask) - 1
      if (entry >= 0 && keys.a(entry) === a && keys.b(entry) === b) return entry
    }
    return -1
  }

  /** Adds an entry that is not in the table yet, with its pair of keys. */
  add(entry: number, a: number, b: number): void {
    while (entry + 1 > this.#entryMask) this.#rebuild(this.#entryMask * 2 + 1)
    if ((this.#entries + this.#marks + 1) * 3 > this.#mask * 2) this.#rebuild(this.#entryMask)
    this.#entries++
    this.#place(entry, this.#hash(a, b))
  }

  /** Removes the entry with this pair of keys, if it is in the table. */
  remove(entry: number, a: number, b: number): void {
    const slots = this.#slots
    const mask = this.#mask
    const entryMask = this.#entryMask
    let slot = this.#hash(a, b) & mask
    while (slots[slot] !== 0 && (slots[slot] & entryMask) - 1 !== entry) slot = (slot + 1) & mask
    if (slots[slot] === 0) return
    this.#entries--
    const isLast = slots[(slot + 1) & mask] === 0
    slots[slot] = isLast ? 0 : gone
    if (!isLast) this.#marks++
  }

  #hash(a: number, b: number): number {
    return mixHash(Math.imul(a ^ this.#seed, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77))
  }

  #place(entry: number, hash: number): void {
    const slots = this.#slots
    const mask = this.#mask
    const entryMask = this.#entryMask
    let slot = hash & mask
    while ((slots[slot] & entryMask) !== 0) slot = (slot + 1) & mask
    if (slots[slot] !== 0) this.#marks--
    slots[slot] = (hash & ~entryMask) | (entry + 1)
  }

  #rebuild(entryMask: number, room = 0): void {
    const [old, oldMask] = [this.#slots, this.#entryMask]
    const capacity = Math.max(room, this.#entries * 3 > old.length ? old.length * 2 : old.length)
    this.#slots = new Uint32Array(capacity)
    this.#mask = capacity - 1
    this.#entryMask = entryMask
    this.#marks = 0
    for (const word of old) {
      const entry = (word & oldMask) - 1
      if (entry >= 0) this.#place(entry, this.#hash(this.#keys.a(entry), this.#keys.b(entry)))
    }
  }
}
