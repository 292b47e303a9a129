import { mixHash, randomHashSeed } from "../kernels/dictionary.ts"
import { tableCapacity } from "./record-table.ts"

/** The keys of a claim: numbers of the unit that made it. */
export interface ClaimKeys {
  /** The text of a unit. */
  text(unit: number): number
  /** The category of a unit. */
  category(unit: number): number
  /** The hash of a unit's claim, as `hash` returned it. */
  hash(unit: number): number
}

/** Marks a slot whose unit was removed. No unit has these bits, because unit + 1 is never 0. */
const gone = 0x80000000

/**
 * Records which unit claimed which text for which coming cell of a category. For each cell, only one unit can claim a
 * text.
 *
 * The table works like `RecordTable`, with two changes for speed. One walk both looks for a claim and makes it. And the
 * caller keeps the hash, so giving up a claim long after it was made does not read the text again. Different cells of
 * one text have different hashes.
 */
export class CellTexts {
  readonly #keys: ClaimKeys
  readonly #seed = randomHashSeed()
  #slots = new Uint32Array(64)
  #mask = 63
  #unitMask = 0xffff
  #claims = 0
  #marks = 0

  constructor(keys: ClaimKeys) {
    this.#keys = keys
  }

  /** Makes room for the claims of this many units, numbered below it, so that they do not rebuild the table. */
  reserve(units: number): void {
    let unitMask = this.#unitMask
    while (units > unitMask) unitMask = unitMask * 2 + 1
    const capacity = tableCapacity(units, this.#slots.length)
    if (capacity > this.#slots.length) this.#rebuild(unitMask, capacity)
  }

  /** The word at which a claim with this hash begins to look. Reading it early is all that it is for. */
  peek(hash: number): number {
    return this.#slots[hash & this.#mask]
  }

  /** The hash under which a unit claims its text for a cell of its category. */
  hash(text: number, cell: number): number {
    return mixHash(Math.imul(text ^ this.#seed, 0x9e3779b1) ^ Math.imul(cell, 0x85ebca77)) | 0
  }

  /** Claims the text of a unit whose keys are set. Returns false if another unit has claimed it. */
  claim(unit: number): boolean {
    while (unit + 1 > this.#unitMask) this.#rebuild(this.#unitMask * 2 + 1)
    if ((this.#claims + this.#marks + 1) * 3 > this.#mask * 2) this.#rebuild(this.#unitMask)
    const slots = this.#slots
    const mask = this.#mask
    const unitMask = this.#unitMask
    const hash = this.#keys.hash(unit)
    let slot = hash & mask
    let vacant = -1
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const word = slots[slot]
      const other = (word & unitMask) - 1
      if (other < 0) {
        if (vacant < 0) vacant = slot
      } else if (((word ^ hash) & ~unitMask) === 0 && this.#isSame(unit, other)) return false
    }
    if (vacant >= 0) this.#marks--
    slots[vacant < 0 ? slot : vacant] = (hash & ~unitMask) | (unit + 1)
    this.#claims++
    return true
  }

  /** Gives up the claim of a unit, if it has one. */
  giveUp(unit: number): void {
    const slots = this.#slots
    const mask = this.#mask
    const unitMask = this.#unitMask
    let slot = this.#keys.hash(unit) & mask
    while (slots[slot] !== 0 && (slots[slot] & unitMask) - 1 !== unit) slot = (slot + 1) & mask
    if (slots[slot] === 0) return
    this.#claims--
    const isLast = slots[(slot + 1) & mask] === 0
    slots[slot] = isLast ? 0 : gone
    if (!isLast) this.#marks++
  }

  /** For a given text the hash is a bijection of the cell, so equal hashes mean equal cells. */
  #isSame(one: number, other: number): boolean {
    const { hash, text, category } = this.#keys
    return hash(one) === hash(other) && text(one) === text(other) && category(one) === category(other)
  }

  #rebuild(unitMask: number, room = 0): void {
    const [old, oldMask] = [this.#slots, this.#unitMask]
    const capacity = Math.max(room, this.#claims * 3 > old.length ? old.length * 2 : old.length)
    const slots = new Uint32Array(capacity)
    const mask = capacity - 1
    for (const word of old) {
      const unit = (word & oldMask) - 1
      if (unit < 0) continue
      const hash = this.#keys.hash(unit)
      let slot = hash & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = (hash & ~unitMask) | (unit + 1)
    }
    this.#slots = slots
    this.#mask = mask
    this.#unitMask = unitMask
    this.#marks = 0
  }
}
