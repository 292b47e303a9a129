import { type RandomSource, shuffle } from "../random.ts"
import { RareWordIndex } from "./rare-words.ts"
import { gatherReleasedCells, largestCell, type ReleasedCells } from "./released-cells.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"
import type { TextWords } from "./text-words.ts"

/** Options of the attackers who compare words. */
export interface SharedWordsOptions {
  k: number
  words: TextWords
  /** By record: its cell. */
  cell: Int32Array
  random: RandomSource
  /** Largest number of units to name (default 2¹⁸). In larger releases, units of random cells are named. */
  most?: number | undefined
}

/**
 * Names the member of a search's cell who is most often a member of other cells with the same rare words. A person's
 * searches share rare words, and the person is a member of every cell that these searches leave with.
 *
 * Consider a unit x of cell C and a member m of C other than the name shown on x. Every other cell D of m gives m the
 * largest weight (`RareWordIndex`) of a unit of D that is not shown under m, because the user shown with a unit did not
 * issue it. Names the member with the largest sum, a random one among equals; nobody if all sums are 0. At most 60 k
 * steps for each word of x.
 */
export function linkBySharedWords(stream: ReleasedStream, options: SharedWordsOptions): Int32Array {
  const { words, cell, random, most = 2 ** 18 } = options
  const cells = gatherReleasedCells(stream, cell)
  const targets = drawTargets(cells, { most, largest: largestCell(options), random })
  const index = new RareWordIndex(cells, words, targets)
  const votes = new CellVotes(cells, { names: countIds(stream.user) })
  const choice = new Int32Array(cells.name.length).fill(-1)
  for (const unit of targets) {
    votes.open(cells.cell[unit])
    const found = index.find(unit)
    votes.gather(unit, { index, found })
    index.clear(found)
    choice[unit] = votes.best(cells.name[unit], random)
  }
  return Int32Array.from(cells.unitOf, (unit) => choice[unit])
}

/** The units of all cells that are not too large. If these are more than `most`, the units of random cells. */
export function drawTargets(
  { starts }: ReleasedCells,
  { most, largest, random }: { most: number; largest: number; random: RandomSource },
): Uint32Array {
  const cells = Uint32Array.from({ length: starts.length - 1 }, (_, cell) => cell)
  if (starts[cells.length] > most) shuffle(cells, random)
  const targets: number[] = []
  for (const cell of cells) {
    const size = starts[cell + 1] - starts[cell]
    if (size > largest) continue
    if (targets.length + size > most) break
    for (let unit = starts[cell]; unit < starts[cell + 1]; unit++) targets.push(unit)
  }
  return Uint32Array.from(targets)
}

/** The votes that the members of one cell get from other cells. */
export class CellVotes {
  /** By name, for the members of the open cell: the sum of their votes. */
  readonly sum: Float64Array
  readonly #cells: ReleasedCells
  readonly #memberOf: Int32Array
  readonly #votedIn: Int32Array
  #open = -1

  constructor(cells: ReleasedCells, { names }: { names: number }) {
    this.#cells = cells
    this.sum = new Float64Array(names)
    this.#memberOf = new Int32Array(names).fill(-1)
    this.#votedIn = new Int32Array(names).fill(-1)
  }

  /** Opens a cell and sets the votes of its members to 0. */
  open(cell: number): void {
    const { starts, name } = this.#cells
    for (let unit = starts[cell]; unit < starts[cell + 1]; unit++) {
      this.#memberOf[name[unit]] = cell
      this.sum[name[unit]] = 0
    }
    this.#open = cell
  }

  /**
   * Adds one vote from every other cell that shares rare words with `unit`, for each common member. `trust` is the
   * factor of a unit's weight in a vote for the member in that place of its cell (default 1).
   */
  gather(
    unit: number,
    { index, found, trust }: { index: RareWordIndex; found: number; trust?: (unit: number, place: number) => number },
  ): void {
    const { starts, name, cell } = this.#cells
    const shown = name[unit]
    for (let from = 0; from < found; ) {
      const other = cell[index.found[from]]
      let to = from + 1
      while (to < found && cell[index.found[to]] === other) to++
      for (let place = starts[other]; place < starts[other + 1]; place++) {
        const member = name[place]
        if (this.#memberOf[member] !== this.#open || member === shown) continue
        if (this.#votedIn[member] === other) continue // a name shown twice in a cell gets one vote from it
        let vote = 0
        for (let i = from; i < to; i++) {
          const by = index.found[i]
          if (name[by] === member) continue
          const counts = trust === undefined ? 1 : trust(by, place - starts[other])
          vote = Math.max(vote, index.weight[by] * counts)
        }
        this.sum[member] += vote
        this.#votedIn[member] = other
      }
      this.#forgetVotes(other)
      from = to
    }
  }

  /** Lets a cell vote again, for the next unit. */
  #forgetVotes(cell: number): void {
    const { starts, name } = this.#cells
    for (let place = starts[cell]; place < starts[cell + 1]; place++) this.#votedIn[name[place]] = -1
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
