import type { CellMembers } from "./cell-members.ts"
import { RareWordIndex } from "./rare-words.ts"
import type { ReleasedCells } from "./released-cells.ts"
import type { TextWords } from "./text-words.ts"

/** The votes of other cells for the members of the targets' cells. */
export interface VoteList {
  /** By target, in their order: its first vote, then the number of votes. */
  starts: Uint32Array
  /** By vote: the name it is for, the unit that votes, and the weight of that unit. */
  member: Int32Array
  by: Uint32Array
  weight: Float32Array
  /** By vote: the place of the member in the cell of the unit that votes. */
  place: Uint32Array
}

/**
 * Lists the votes for each target. A unit votes for a member if it shares rare words with the target, is in another
 * cell of the member, and is not shown under the member. The votes of one cell for one member are next to each other.
 *
 * Only a member who is in several cells gets votes. So if names last for one cell, no words are compared.
 */
export function listVotes(
  cells: ReleasedCells,
  { words, targets, members }: { words: TextWords; targets: Uint32Array; members: CellMembers },
): VoteList {
  const { starts, name, cell } = cells
  const index = new RareWordIndex(
    cells,
    words,
    targets.filter((unit) => members.anyElsewhere(cell[unit])),
  )
  const first = new Uint32Array(targets.length + 1)
  const votes = new VoteColumns()
  const isWanted = (other: number) => members.shares(other)
  /** Adds the votes of one cell: the units found from `from` to `to`. */
  const addVotes = (unit: number, from: number, to: number) => {
    const other = cell[index.found[from]]
    members.newMeeting()
    for (let at = starts[other]; at < starts[other + 1]; at++) {
      const member = name[at]
      // A name that is shown twice in a cell gets one vote from it.
      if (member === name[unit] || !members.has(member) || !members.comes(member)) continue
      for (let i = from; i < to; i++) {
        if (name[index.found[i]] === member) continue
        const vote = votes.add()
        votes.member[vote] = member
        votes.by[vote] = index.found[i]
        votes.weight[vote] = index.weight[index.found[i]]
        votes.place[vote] = at - starts[other]
      }
    }
  }
  for (let target = 0; target < targets.length; target++) {
    const unit = targets[target]
    if (members.anyElsewhere(cell[unit])) {
      members.open(cell[unit])
      const found = index.find(unit, isWanted)
      for (let from = 0, to = 0; from < found; from = to) {
        while (to < found && cell[index.found[to]] === cell[index.found[from]]) to++
        addVotes(unit, from, to)
      }
      index.clear(found)
    }
    first[target + 1] = votes.size
  }
  const { member, by, weight, place } = votes
  return { starts: first, member, by, weight, place }
}

/** The columns of a list whose length is not known before. */
class VoteColumns {
  size = 0
  member = new Int32Array(1024)
  by = new Uint32Array(1024)
  weight = new Float32Array(1024)
  place = new Uint32Array(1024)

  /** The number of a new vote. */
  add(): number {
    if (this.size === this.by.length) this.#grow()
    return this.size++
  }

  #grow(): void {
    const { member, by, weight, place } = this
    const length = this.size + (this.size >> 1)
    this.member = new Int32Array(length)
    this.by = new Uint32Array(length)
    this.weight = new Float32Array(length)
    this.place = new Uint32Array(length)
    this.member.set(member)
    this.by.set(by)
    this.weight.set(weight)
    this.place.set(place)
  }
}

/** How much the weight of a unit counts in a vote for the member at this place of its cell. */
export type Trust = (unit: number, place: number) => number

/**
 * Adds the votes of a target to the sums of its cell's members. The largest vote of a cell for a member is the one that
 * counts. `trust` is a factor of the weight (default 1).
 */
export function countVotes(
  { starts, member, by, weight, place }: VoteList,
  { cell }: ReleasedCells,
  { target, members, trust }: { target: number; members: CellMembers; trust?: Trust },
): void {
  const { sum } = members
  let largest = 0
  for (let vote = starts[target]; vote < starts[target + 1]; vote++) {
    const counts = trust === undefined ? 1 : trust(by[vote], place[vote])
    largest = Math.max(largest, weight[vote] * counts)
    const goesOn =
      vote + 1 < starts[target + 1] && member[vote + 1] === member[vote] && cell[by[vote + 1]] === cell[by[vote]]
    if (goesOn) continue
    sum[member[vote]] += largest
    largest = 0
  }
}
