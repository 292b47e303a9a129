import { type RandomSource, shuffleFirst } from "../kernels/random.ts"
import { drawDerangement } from "./derange.ts"

/** Moves per member that insertion sort may take before it gives up. */
const patience = 8

/** Words of a position: time + 2³¹, and both halves of the hash. */
const words = 3

/** What decides the order of a cell's members, by unit. */
export interface MemberKeys {
  /** The position: time in seconds, then both halves of the hash. */
  time(unit: number): number
  high(unit: number): number
  low(unit: number): number
  /** The order of arrival. It decides between equal positions. */
  arrival(unit: number): number
}

/**
 * The closing cell: first all users who wait, then its members. Both are ordered by the positions of their oldest
 * units. This order does not depend on where records are stored or how the lists of the category are chained. By place
 * in that order: the list of a user, its oldest unit, and the position of that unit. One object serves all cells.
 */
export class ClosingCell {
  size = 0
  list = new Int32Array(64)
  unit = new Int32Array(64)
  /** By place: the user whom the unit is shown with, as a place. */
  dealt = new Int32Array(64)
  /** Places in the order in which their units leave. */
  order = new Int32Array(64)
  #position = new Uint32Array(64 * words)
  readonly #keys: MemberKeys

  constructor(keys: MemberKeys) {
    this.#keys = keys
  }

  /** Clears the previous cell and makes room for this many users. */
  begin(users: number): void {
    this.size = 0
    if (users <= this.list.length) return
    this.list = new Int32Array(users * 2)
    this.unit = new Int32Array(users * 2)
    this.dealt = new Int32Array(users * 2)
    this.order = new Int32Array(users * 2)
    this.#position = new Uint32Array(users * 2 * words)
  }

  add(list: number, unit: number): void {
    const place = this.size++
    const at = place * words
    this.list[place] = list
    this.unit[place] = unit
    this.#position[at] = this.#keys.time(unit) ^ 0x80000000 // times before 1970 come first
    this.#position[at + 1] = this.#keys.high(unit)
    this.#position[at + 2] = this.#keys.low(unit)
  }

  /** The positions of all users, in order. */
  positions(): Uint32Array {
    return this.#position.subarray(0, this.size * words)
  }

  /**
   * Sorts all by position. They are usually almost sorted: only lists that an earlier cell shortened, and searches of
   * one second, are out of order.
   */
  sort(): void {
    const { list, unit } = this
    const position = this.#position
    let moves = patience * this.size
    for (let i = 1; i < this.size; i++) {
      if (this.#compare(i - 1, i) <= 0) continue
      let to = i - 1
      while (to > 0 && this.#compare(to - 1, i) > 0) to--
      const [heldList, heldUnit] = [list[i], unit[i]]
      const [time, high, low] = [position[i * words], position[i * words + 1], position[i * words + 2]]
      list.copyWithin(to + 1, to, i)
      unit.copyWithin(to + 1, to, i)
      position.copyWithin((to + 1) * words, to * words, i * words)
      list[to] = heldList
      unit[to] = heldUnit
      position[to * words] = time
      position[to * words + 1] = high
      position[to * words + 2] = low
      moves -= i - to
      if (moves < 0) break
    }
    if (moves < 0) this.#sortAll()
  }

  /**
   * Keeps `size` members: those with the longest lists, with ties broken at random. With `text`, keeps the first
   * members in this order whose oldest units have distinct texts; there must be enough of them.
   */
  choose(
    size: number,
    options: { length(list: number): number; text: ((unit: number) => number) | undefined; random: RandomSource },
  ): void {
    const { length, text, random } = options
    const drawn = Int32Array.from({ length: this.size }, (_, place) => place)
    shuffleFirst(drawn, this.size, random)
    drawn.sort((a, b) => length(this.list[b]) - length(this.list[a])) // stable: lists of equal length stay as drawn
    const seen = new Set<number>()
    const distinct = text === undefined ? drawn : drawn.filter((place) => isNew(seen, text(this.unit[place])))
    this.#keep(distinct.subarray(0, size).sort())
  }

  /** Draws which user is shown with which unit, and the order in which the units leave. */
  deal(random: RandomSource): void {
    drawDerangement(this.dealt, this.size, random)
    for (let place = 0; place < this.size; place++) this.order[place] = place
    shuffleFirst(this.order, this.size, random)
  }

  /** Compares two places by position, then by arrival. */
  #compare(one: number, other: number): number {
    const position = this.#position
    const [a, b] = [one * words, other * words]
    return (
      position[a] - position[b] ||
      position[a + 1] - position[b + 1] ||
      position[a + 2] - position[b + 2] ||
      this.#keys.arrival(this.unit[one]) - this.#keys.arrival(this.unit[other])
    )
  }

  #sortAll(): void {
    const places = Int32Array.from({ length: this.size }, (_, place) => place)
    this.#keep(places.sort((a, b) => this.#compare(a, b)))
  }

  /** Keeps the entries at these places, in this order. */
  #keep(places: Int32Array): void {
    const [list, unit] = [this.list.slice(), this.unit.slice()]
    this.begin(places.length)
    for (const place of places) this.add(list[place], unit[place])
  }
}

function isNew(seen: Set<number>, value: number): boolean {
  const { size } = seen
  return seen.add(value).size > size
}
