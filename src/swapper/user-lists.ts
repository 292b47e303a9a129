import { growInt32 } from "./grow.ts"

/** The words of a list stand together, since they are read together. */
const stride = 4
const youngestAt = 0
const lengthAt = 1
const nextListAt = 2
const isIndexedAt = 3

/**
 * What a user has waiting in a category: a ring of units, known by its youngest. Lists are numbers that are used again.
 * Those of a category are a chain.
 */
export class UserLists {
  #words = new Int32Array(stride * 64)
  #lists = 0
  /** The first list that may be used again; each leads to the next. */
  #free = -1

  /** A list of one unit, in no chain. */
  open(unit: number): number {
    let list = this.#free
    if (list >= 0) this.#free = this.#words[list * stride + nextListAt]
    else {
      list = this.#lists++
      if (this.#lists * stride > this.#words.length) this.#words = growInt32(this.#words, this.#lists * stride)
    }
    const at = list * stride
    this.#words[at + youngestAt] = unit
    this.#words[at + lengthAt] = 1
    this.#words[at + nextListAt] = -1
    this.#words[at + isIndexedAt] = 0
    return list
  }

  close(list: number): void {
    this.#words[list * stride + nextListAt] = this.#free
    this.#free = list
  }

  youngest(list: number): number {
    return this.#words[list * stride + youngestAt]
  }

  /** Units of a list. */
  length(list: number): number {
    return this.#words[list * stride + lengthAt]
  }

  /** A unit joins the list as its youngest. */
  lengthen(list: number, unit: number): void {
    this.#words[list * stride + youngestAt] = unit
    this.#words[list * stride + lengthAt]++
  }

  /** The oldest unit leaves. Gives how many are left. */
  shorten(list: number): number {
    return --this.#words[list * stride + lengthAt]
  }

  /** The next list of the category; -1 behind the last. */
  next(list: number): number {
    return this.#words[list * stride + nextListAt]
  }

  setNext(list: number, next: number): void {
    this.#words[list * stride + nextListAt] = next
  }

  /** Whether the units of a list can be found by their text: from the second on. */
  isIndexed(list: number): boolean {
    return this.#words[list * stride + isIndexedAt] === 1
  }

  setIndexed(list: number): void {
    this.#words[list * stride + isIndexedAt] = 1
  }
}
