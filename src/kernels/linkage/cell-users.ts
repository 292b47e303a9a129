import type { RandomSource } from "../random.ts"

/**
 * The users of a cell. Each has a streak: the number of consecutive cells, up to this one, in which the user was shown.
 */
export class CellUsers {
  size = 0
  readonly #random: RandomSource
  readonly #users: number[] = []
  /**
   * By user: the number of the last cell that shows the user, the streak there, and the place in that cell's ranking.
   */
  readonly #lastCell: Int32Array
  readonly #streak: Int32Array
  readonly #place: Int32Array
  /** Streaks in descending order. */
  readonly #streaks: number[] = []
  #number = 0

  constructor(options: { users: number; random: RandomSource }) {
    this.#random = options.random
    this.#lastCell = new Int32Array(options.users)
    this.#streak = new Int32Array(options.users)
    this.#place = new Int32Array(options.users)
  }

  /** Starts a new category: the next cell is its first. */
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

  /** A random user other than the one shown, or -1 if there is none. */
  nameAnyone(shown: number): number {
    return this.#choose(shown, 0, this.size)
  }

  /**
   * A random user, other than the one shown, who was there at each of the last `waited` closings. If `waited` is 0, the
   * user was not there at the last closing. -1 if there is none.
   */
  nameWaiting(shown: number, { waited }: { waited: number }): number {
    const longer = this.#countOver(Math.max(1, waited))
    return waited > 0 ? this.#choose(shown, 0, longer) : this.#choose(shown, longer, this.size)
  }

  /** The number of users whose streak is longer than this. */
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
