import { growInt32 } from "./grow.ts"

/** The words of a record are next to each other: they are read together, long after they were written. */
const stride = 4
const nextUnitAt = 0
const nextRepeatAt = 1
const repeatsAt = 2
const claimAt = 3

/**
 * Units that wait. A unit is a text that a user issued, once or again while it waited. It is identified by its first
 * record. The units of a list form a ring, in the order of arrival: after the youngest comes the oldest. The records of
 * a unit form a chain.
 */
export class WaitingUnits {
  #words = new Int32Array(stride * 64)

  /** Begins a unit of one record, in a ring of its own. `records` is the number of records that there may be soon. */
  begin(record: number, records: number): void {
    if ((record + 1) * stride > this.#words.length)
      this.#words = growInt32(this.#words, stride * Math.max(record + 1, records))
    const at = record * stride
    this.#words[at + nextUnitAt] = record
    this.#words[at + nextRepeatAt] = -1
    this.#words[at + repeatsAt] = 1
  }

  /** The unit after this one in its ring. */
  next(unit: number): number {
    return this.#words[unit * stride + nextUnitAt]
  }

  /** Inserts a unit after another one. */
  insert(unit: number, behind: number): void {
    this.#words[unit * stride + nextUnitAt] = this.#words[behind * stride + nextUnitAt]
    this.#words[behind * stride + nextUnitAt] = unit
  }

  /** Removes the unit after this one from their ring. */
  dropNext(unit: number): void {
    const next = this.#words[unit * stride + nextUnitAt]
    this.#words[unit * stride + nextUnitAt] = this.#words[next * stride + nextUnitAt]
  }

  /** The number of records of a unit. */
  repeats(unit: number): number {
    return this.#words[unit * stride + repeatsAt]
  }

  /** The next record of the unit; -1 after the last. */
  nextRepeat(record: number): number {
    return this.#words[record * stride + nextRepeatAt]
  }

  addRepeat(record: number, unit: number): void {
    this.#words[unit * stride + repeatsAt]++
    this.#words[record * stride + nextRepeatAt] = this.#words[unit * stride + nextRepeatAt]
    this.#words[unit * stride + nextRepeatAt] = record
  }

  /** The hash under which a unit claimed its text: see `CellTexts`. */
  claim(unit: number): number {
    return this.#words[unit * stride + claimAt]
  }

  setClaim(unit: number, hash: number): void {
    this.#words[unit * stride + claimAt] = hash
  }
}
