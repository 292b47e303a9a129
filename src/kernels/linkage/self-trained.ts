import { balanceCell } from "./balance-cell.ts"
import { CellMembers } from "./cell-members.ts"
import { countVotes, listVotes, type VoteList } from "./list-votes.ts"
import { gatherReleasedCells, largestCell, type ReleasedCells } from "./released-cells.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"
import { drawTargets, type SharedWordsOptions } from "./shared-words.ts"

const rounds = 4

/** The weight of a member without votes, compared with one vote of weight 1. */
const floor = 0.3

/** How much likelier than by chance a member must be to be named. */
const sure = 1.2

/**
 * `linkBySharedWords` with two more facts. First, each member of a cell issued one of its units. So the votes of a cell
 * are scaled to a doubly stochastic matrix of units and members (`balanceCell`): a member who surely issued one unit
 * did not issue the others. Second, what is learnt about one cell counts in the next round. The vote of a unit for a
 * member is multiplied by the member's chance of having issued that unit, relative to a random guess.
 *
 * Names the likeliest member, if their probability is at least 1.2/k. In a release with more than `most` units, random
 * cells take part. The votes of the other cells count as in the first round.
 */
export function linkBySelfTraining(stream: ReleasedStream, options: SharedWordsOptions): Int32Array {
  const { k, words, cell, random, most = 2 ** 18 } = options
  const all = gatherReleasedCells(stream, cell)
  const targets = drawTargets(all, { most, largest: largestCell(options), random })
  const members = new CellMembers(all, { names: countIds(stream.user) })
  const votes = listVotes(all, { words, targets, members })
  const matrices = new CellMatrices(all, targets)
  for (let round = 0; round < rounds; round++) matrices.train({ votes, members, round })
  const choice = new Int32Array(all.name.length).fill(-1)
  for (const unit of targets) choice[unit] = matrices.likeliest(unit, sure / k)
  return Int32Array.from(all.unitOf, (unit) => choice[unit])
}

/** By unit of the cells that take part: the chance of each member of its cell, in the order of the cell's units. */
class CellMatrices {
  readonly #cells: ReleasedCells
  readonly #targets: Uint32Array
  /** By unit: where its row begins, or -1 if its cell does not take part. */
  readonly #row: Int32Array
  #chance: Float32Array
  #next: Float32Array

  constructor(cells: ReleasedCells, targets: Uint32Array) {
    const { starts, cell, name } = cells
    this.#cells = cells
    this.#targets = targets
    this.#row = new Int32Array(name.length).fill(-1)
    let length = 0
    for (const unit of targets) {
      this.#row[unit] = length
      length += starts[cell[unit] + 1] - starts[cell[unit]]
    }
    this.#chance = new Float32Array(length)
    this.#next = new Float32Array(length)
    for (const unit of targets) {
      const size = starts[cell[unit] + 1] - starts[cell[unit]]
      this.#chance.fill(1 / Math.max(1, size - 1), this.#row[unit], this.#row[unit] + size)
    }
  }

  /**
   * One round: votes by the chances of the previous round, then every cell is balanced. A cell without votes has the
   * same chances in all rounds, so its matrix is balanced once and written to both arrays.
   */
  train({ votes, members, round }: { votes: VoteList; members: CellMembers; round: number }): void {
    const { starts, cell } = this.#cells
    const targets = this.#targets
    for (let target = 0; target < targets.length; ) {
      const own = cell[targets[target]]
      const size = starts[own + 1] - starts[own]
      const from = this.#row[starts[own]]
      const hasVotes = votes.starts[target] < votes.starts[target + size]
      if (hasVotes || round === 0) this.#weigh({ votes, members, target, size })
      if (hasVotes || round === 0) balanceCell(this.#next.subarray(from, from + size * size), size)
      else if (round === 1) this.#next.set(this.#chance.subarray(from, from + size * size), from)
      target += size
    }
    const held = this.#chance
    this.#chance = this.#next
    this.#next = held
  }

  /** Writes the votes of one cell, whose first unit is the target. */
  #weigh(of: { votes: VoteList; members: CellMembers; target: number; size: number }): void {
    const { votes, members, size } = of
    const { starts, cell, name } = this.#cells
    const trust = (unit: number, place: number) => {
      if (this.#row[unit] < 0) return 1
      const others = starts[cell[unit] + 1] - starts[cell[unit]] - 1
      return this.#chance[this.#row[unit] + place] * others
    }
    for (let target = of.target; target < of.target + size; target++) {
      const unit = this.#targets[target]
      members.open(cell[unit])
      countVotes(votes, this.#cells, { target, members, trust })
      for (let place = 0; place < size; place++) {
        const member = name[starts[cell[unit]] + place]
        this.#next[this.#row[unit] + place] = member === name[unit] ? 0 : floor + members.sum[member]
      }
    }
  }

  /** The name of the likeliest member, or -1 if no chance is at least `least`. */
  likeliest(unit: number, least: number): number {
    const { starts, cell, name } = this.#cells
    const size = starts[cell[unit] + 1] - starts[cell[unit]]
    let best = 0
    for (let place = 1; place < size; place++)
      if (this.#chance[this.#row[unit] + place] > this.#chance[this.#row[unit] + best]) best = place
    return this.#chance[this.#row[unit] + best] >= least ? name[starts[cell[unit]] + best] : -1
  }
}
