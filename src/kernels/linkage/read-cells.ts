import type { RandomSource } from "../random.ts"
import { countIds, forEachCategory, type LinkageOptions, type ReleasedStream } from "./released-stream.ts"

/**
 * Uses times and order where records leave in cells: runs of k + 1 distinct users shown, each with one unit (records in a
 * row with one user and one text). A cell closes with the arrival of its last member, so the latest own time seen in the
 * category up to a cell is when that cell closed; whoever waits at a closing takes part in it. A unit that came before the
 * last d closings is therefore from a user shown in each of those d cells and in its own: one of them is named, surely
 * the right one where there is one. A unit that came after the last closing (d = 0) is given to a user shown in this cell
 * and not in the one before. Each at random, other than the user shown; where that leaves nobody, any user of the cell.
 *
 * Where times never fall along a category they are the closings' own: a new time begins a new cell, nothing is learnt of
 * a unit's age, and any user of the cell is named at random. O(log k + log cells) per record.
 */
export function linkByCells(stream: ReleasedStream, { k, random }: LinkageOptions): Int32Array {
  const { user, text, time } = stream
  const named = new Int32Array(user.length).fill(-1)
  const cell = new Cell({ users: countIds(user), random })
  forEachCategory(stream, (records) => {
    const isShared = neverFalls(time, records)
    const closings: number[] = []
    cell.restart()
    for (let start = 0; start < records.length; ) {
      let end = start
      let latest = closings.at(-1) ?? Number.NEGATIVE_INFINITY
      cell.open()
      for (; end < records.length; end++) {
        const record = records[end]
        const before = end === start ? -1 : records[end - 1]
        if (before >= 0 && isShared && time[record] !== time[before]) break
        const sameUnit = before >= 0 && user[record] === user[before] && text[record] === text[before]
        if (!sameUnit && (cell.size > k || cell.has(user[record]))) break
        if (!sameUnit) cell.enter(user[record])
        latest = Math.max(latest, time[record])
      }
      cell.rank()
      for (let first = start; first < end; ) {
        const shown = user[records[first]]
        let last = first
        let oldest = time[records[first]]
        for (; last < end && user[records[last]] === shown; last++) oldest = Math.min(oldest, time[records[last]])
        const waited = closings.length - countUpTo(closings, oldest)
        const choice = isShared ? cell.nameAnyone(shown) : cell.nameWaiting(shown, { waited })
        for (let i = first; i < last; i++) named[records[i]] = choice
        first = last
      }
      closings.push(latest)
      start = end
    }
  })
  return named
}

function neverFalls(time: Int32Array, records: Uint32Array): boolean {
  for (let i = 1; i < records.length; i++) if (time[records[i]] < time[records[i - 1]]) return false
  return true
}

/** How many of the ascending values are no more than `value`. */
function countUpTo(values: readonly number[], value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle] <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** The users of a cell, by the number of cells in a row, this one included, in which each was shown. */
class Cell {
  size = 0
  readonly #random: RandomSource
  readonly #users: number[] = []
  /** By user: the number of the last cell with him, for how many cells in a row, and his place in its ranking. */
  readonly #lastCell: Int32Array
  readonly #streak: Int32Array
  readonly #place: Int32Array
  /** Streaks in falling order. */
  readonly #streaks: number[] = []
  #number = 0

  constructor(options: { users: number; random: RandomSource }) {
    this.#random = options.random
    this.#lastCell = new Int32Array(options.users)
    this.#streak = new Int32Array(options.users)
    this.#place = new Int32Array(options.users)
  }

  /** The next cell is the first of its category. */
  restart(): void {
    this.#number++
  }

  open(): void {
    this.#number++
    this.size = 0
  }

  has(user: number): boolean {
    return this.#lastCell[user] === this.#number
  }

  enter(user: number): void {
    this.#streak[user] = this.#lastCell[user] === this.#number - 1 ? this.#streak[user] + 1 : 1
    this.#lastCell[user] = this.#number
    this.#users[this.size++] = user
  }

  rank(): void {
    const users = this.#users
    users.length = this.size
    users.sort((a, b) => this.#streak[b] - this.#streak[a])
    for (let i = 0; i < users.length; i++) {
      this.#place[users[i]] = i
      this.#streaks[i] = this.#streak[users[i]]
    }
  }

  /** A random user other than the one shown; -1 where there is none. */
  nameAnyone(shown: number): number {
    return this.#choose(shown, 0, this.size)
  }

  /** A random user other than the one shown, who was there at each of the last `waited` closings; of 0, not at the last. */
  nameWaiting(shown: number, { waited }: { waited: number }): number {
    const longer = this.#countOver(Math.max(1, waited))
    const found = waited > 0 ? this.#choose(shown, 0, longer) : this.#choose(shown, longer, this.size)
    return found >= 0 ? found : this.nameAnyone(shown)
  }

  /** How many have a streak over this one. */
  #countOver(streak: number): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#streaks[middle] > streak) low = middle + 1
      else high = middle
    }
    return low
  }

  #choose(shown: number, from: number, to: number): number {
    const place = this.#place[shown]
    const others = to - from - (place >= from && place < to ? 1 : 0)
    if (others <= 0) return -1
    const at = from + this.#random.below(others)
    return this.#users[place >= from && at >= place ? at + 1 : at]
  }
}
