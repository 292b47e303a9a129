import { type RandomSource, shuffleFirst } from "../kernels/random.ts"
import { drawDerangement } from "./derange.ts"

/** Moves per member that insertion sort may take before it gives up. */
const patience = 8

/**
 * The closing cell: first all users who wait, then its members. Both are ordered by the positions of their oldest
 * units. This order does not depend on where records are stored or how the lists of the category are chained. By place
 * in that order: the list of a user, its oldest unit, and the position of that unit. One object serves all cells.
 */
export class ClosingCell {
  size = 0
  list = new Int32Array(64)
  unit = new Int32Array(64)
  position = new Float64Array(64)
  /** By place: the place of the user whom the unit is shown with. */
  dealt = new Int32Array(64)
  /** Places in the order in which their units leave. */
  order = new Int32Array(64)

  /** Clears the previous cell and makes room for this many users. */
  begin(users: number): void {
    this.size = 0
    if (users <= this.list.length) return
    this.list = new Int32Array(users * 2)
    this.unit = new Int32Array(users * 2)
    this.position = new Float64Array(users * 2)
    this.dealt = new Int32Array(users * 2)
    this.order = new Int32Array(users * 2)
  }

  add(list: number, unit: number, position: number): void {
    const place = this.size++
    this.list[place] = list
    this.unit[place] = unit
    this.position[place] = position
  }

  /** The positions of all users, in order. */
  positions(): Float64Array {
    return this.position.subarray(0, this.size)
  }

  /**
   * Sorts all by position. They are usually almost sorted: only lists that an earlier cell shortened are out of order.
   */
  sort(): void {
    const { list, unit, position } = this
    let moves = patience * this.size
    for (let i = 1; i < this.size; i++) {
      const held = position[i]
      if (position[i - 1] <= held) continue
      const heldList = list[i]
      const heldUnit = unit[i]
      let place = i
      for (; place > 0 && position[place - 1] > held; place--) {
        list[place] = list[place - 1]
        unit[place] = unit[place - 1]
        position[place] = position[place - 1]
      }
      list[place] = heldList
      unit[place] = heldUnit
      position[place] = held
      moves -= i - place
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

  #sortAll(): void {
    const { position } = this
    const places = Int32Array.from({ length: this.size }, (_, place) => place)
    this.#keep(places.sort((a, b) => position[a] - position[b]))
  }

  /** Keeps the entries at these places, in this order. */
  #keep(places: Int32Array): void {
    const [list, unit, position] = [this.list.slice(), this.unit.slice(), this.position.slice()]
    this.begin(places.length)
    for (const place of places) this.add(list[place], unit[place], position[place])
  }
}

function isNew(seen: Set<number>, value: number): boolean {
  const { size } = seen
  return seen.add(value).size > size
}
