import type { RandomSource } from "../random.ts"
import type { ReleasedCells } from "./released-cells.ts"

/** The members of one cell at a time, and the votes that each gets. */
export class CellMembers {
  /** By name, for the members of the open cell: the sum of their votes. */
  readonly sum: Float64Array
  readonly #cells: ReleasedCells
  /** By name: 1 if it is in several cells. */
  readonly #isElsewhere: Uint8Array
  /** By name: the cell that was open last with this member, if the member is also in other cells. */
  readonly #memberOf: Int32Array
  /** By name: the last meeting it came to. */
  readonly #metIn: Uint32Array
  #meeting = 0
  #open = -1

  constructor(cells: ReleasedCells, { names }: { names: number }) {
    const { name, cell } = cells
    this.#cells = cells
    this.sum = new Float64Array(names)
    this.#isElsewhere = new Uint8Array(names)
    this.#memberOf = new Int32Array(names).fill(-1)
    this.#metIn = new Uint32Array(names)
    const first = new Int32Array(names).fill(-1)
    for (let unit = 0; unit < name.length; unit++) {
      if (first[name[unit]] < 0) first[name[unit]] = cell[unit]
      else if (first[name[unit]] !== cell[unit]) this.#isElsewhere[name[unit]] = 1
    }
  }

  /** True if a member of the cell is also in other cells. */
  anyElsewhere(cell: number): boolean {
    const { starts, name } = this.#cells
    for (let unit = starts[cell]; unit < starts[cell + 1]; unit++) if (this.#isElsewhere[name[unit]] === 1) return true
    return false
  }

  /** Opens a cell and sets the votes of its members to 0. */
  open(cell: number): void {
    const { starts, name } = this.#cells
    for (let unit = starts[cell]; unit < starts[cell + 1]; unit++) {
      if (this.#isElsewhere[name[unit]] === 1) this.#memberOf[name[unit]] = cell
      this.sum[name[unit]] = 0
    }
    this.#open = cell
  }

  /** True if the name is a member of the open cell, and also in other cells. */
  has(name: number): boolean {
    return this.#memberOf[name] === this.#open
  }

  /** True if another cell has a member of the open cell. */
  shares(cell: number): boolean {
    const { starts, name } = this.#cells
    for (let unit = starts[cell]; unit < starts[cell + 1]; unit++) if (this.has(name[unit])) return true
    return false
  }

  /** Begins a meeting, to which each name comes once. */
  newMeeting(): void {
    this.#meeting++
  }

  /** True for the first time that a name comes to the meeting. */
  comes(name: number): boolean {
    if (this.#metIn[name] === this.#meeting) return false
    this.#metIn[name] = this.#meeting
    return true
  }

  /** The member other than `shown` with the most votes, a random one among equals; -1 if nobody has any. */
  best(shown: number, random: RandomSource): number {
    const { starts, name } = this.#cells
    let best = -1
    let equals = 0
    for (let unit = starts[this.#open]; unit < starts[this.#open + 1]; unit++) {
      const member = name[unit]
      if (member === shown || this.sum[member] <= 0 || member === best) continue
      const ahead = best < 0 ? 1 : this.sum[member] - this.sum[best]
      if (ahead > 0) equals = 1
      else if (ahead < 0 || random.below(++equals) > 0) continue
      best = member
    }
    return best
  }
}
