import { growInt32 } from "./grow.ts"

/** The words of a list are next to each other, because they are read together. */
const stride = 4
const youngestAt = 0
const lengthAt = 1
const nextListAt = 2
const isIndexedAt = 3

/**
 * The waiting lists: one for each user and category with waiting units. A list is a ring of units, stored by its
 * youngest unit. Lists are numbers, and numbers of closed lists are reused. The lists of a category form a chain.
 */
export class UserLists {
  #words = new Int32Array(stride * 64)
  #lists = 0
  /** The first list that may be reused. Each leads to the next. */
  #free = -1

  /** Opens a list of one unit, in no chain. */
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

  /** The number of units of a list. */
  length(list: number): number {
    return this.#words[list * stride + lengthAt]
  }

  /** Adds a unit to the list as its youngest. */
  lengthen(list: number, unit: number): void {
    this.#words[list * stride + youngestAt] = unit
    this.#words[list * stride + lengthAt]++
  }

  /** Removes the oldest unit. Returns how many are left. */
  shorten(list: number): number {
    return --this.#words[list * stride + lengthAt]
  }

  /** The next list of the category; -1 after the last. */
  next(list: number): number {
    return this.#words[list * stride + nextListAt]
  }

  setNext(list: number, next: number): void {
    this.#words[list * stride + nextListAt] = next
  }

  /** True if the units of a list can be found by their text. This starts with the second unit. */
  isIndexed(list: number): boolean {
    return this.#words[list * stride + isIndexedAt] === 1
  }

  setIndexed(list: number): void {
    this.#words[list * stride + isIndexedAt] = 1
  }
}
