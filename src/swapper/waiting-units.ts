import { growInt32 } from "./grow.ts"

/** The words of a record stand together: they are read together, long after they were written. */
const stride = 4
const nextUnitAt = 0
const nextRepeatAt = 1
const repeatsAt = 2
const claimAt = 3

/**
 * Units that wait. A unit is a text that a user issued, once or again while it waited; it is known by its first record.
 * The units of a list are a ring, in the order of arrival: behind the youngest comes the oldest. The records of a unit are
 * a chain.
 */
export class WaitingUnits {
  #words = new Int32Array(stride * 64)

  /** A unit of one record, in a ring of its own. `records`: how many there may be soon. */
  begin(record: number, records: number): void {
    if ((record + 1) * stride > this.#words.length)
      this.#words = growInt32(this.#words, stride * Math.max(record + 1, records))
    const at = record * stride
    this.#words[at + nextUnitAt] = record
    this.#words[at + nextRepeatAt] = -1
    this.#words[at + repeatsAt] = 1
  }

  /** The unit behind this one in its ring. */
  next(unit: number): number {
    return this.#words[unit * stride + nextUnitAt]
  }

  /** Puts a unit behind another one. */
  insert(unit: number, behind: number): void {
    this.#words[unit * stride + nextUnitAt] = this.#words[behind * stride + nextUnitAt]
    this.#words[behind * stride + nextUnitAt] = unit
  }

  /** Takes the unit that comes behind this one out of their ring. */
  dropNext(unit: number): void {
    const next = this.#words[unit * stride + nextUnitAt]
    this.#words[unit * stride + nextUnitAt] = this.#words[next * stride + nextUnitAt]
  }

  /** Records of a unit. */
  repeats(unit: number): number {
    return this.#words[unit * stride + repeatsAt]
  }

  /** The record of the unit that comes behind this one; -1 behind the last. */
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
