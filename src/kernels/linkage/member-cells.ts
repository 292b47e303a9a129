import { CellMembers } from "./cell-members.ts"
import { CellComparer } from "./compare-words.ts"
import { gatherReleasedCells, largestCell, type ReleasedCells } from "./released-cells.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"
import { drawTargets, type SharedWordsOptions } from "./shared-words.ts"

/** Only this many cells of a name are read. Lasting names carry no promise, whatever this attacker finds. */
const mostCells = 64

/**
 * Compares a search with the searches in the other cells of each member, by all words they share, however common.
 * `linkBySharedWords` misses a word that one person types in more than 60 searches. This attacker misses none if names
 * are in few cells.
 *
 * Consider a unit x of cell C and a member m other than the name shown on x. Every other cell of m gives m the largest
 * weight of a unit there that is not shown under m. The weight is Σ log(N/df) over the words that the unit shares with
 * x, divided by the square root of the product of their lengths. Names the member with the largest sum, a random one
 * among equals; nobody if all sums are 0. A cell that is read for a member is compared with all units of C at once.
 */
export function linkByMemberCells(stream: ReleasedStream, options: SharedWordsOptions): Int32Array {
  const { words, cell, random, most = 2 ** 18 } = options
  const cells = gatherReleasedCells(stream, cell)
  const targets = drawTargets(cells, { most, largest: largestCell(options), random })
  const names = countIds(stream.user)
  const members = new CellMembers(cells, { names })
  const choice = new Int32Array(cells.name.length).fill(-1)
  if (targets.some((unit) => members.anyElsewhere(cells.cell[unit]))) {
    const cellsOf = listCells(cells, names)
    const comparer = new CellComparer(cells, words)
    for (let target = 0; target < targets.length; ) {
      const own = cells.cell[targets[target]]
      const size = cells.starts[own + 1] - cells.starts[own]
      if (members.anyElsewhere(own)) {
        sumVotes(own, { cells, cellsOf, members, comparer })
        for (const unit of targets.subarray(target, target + size)) {
          members.open(own)
          comparer.readVotes(unit, members.sum)
          choice[unit] = members.best(cells.name[unit], random)
        }
        comparer.close()
      }
      target += size
    }
  }
  return Int32Array.from(cells.unitOf, (unit) => choice[unit])
}

interface CellLists {
  starts: Uint32Array
  cells: Uint32Array
}

/** Opens a cell in the comparer and lets the other cells of its members vote. */
function sumVotes(
  own: number,
  of: { cells: ReleasedCells; cellsOf: CellLists; members: CellMembers; comparer: CellComparer },
): void {
  const { cells, cellsOf, members, comparer } = of
  const { starts, name } = cells
  comparer.open(own)
  members.open(own)
  members.newMeeting()
  for (let at = starts[own]; at < starts[own + 1]; at++) {
    const member = name[at]
    if (!members.has(member) || !members.comes(member)) continue
    const from = cellsOf.starts[member]
    const to = Math.min(cellsOf.starts[member + 1], from + mostCells)
    for (let i = from; i < to; i++) {
      const other = cellsOf.cells[i]
      for (let by = starts[other]; other !== own && by < starts[other + 1]; by++)
        if (name[by] !== member) comparer.compare(by)
      comparer.addVotes(at)
    }
  }
}

/** The cells of each name n: cells[starts[n], starts[n + 1]). Units are numbered cell by cell. */
function listCells({ name, cell }: ReleasedCells, names: number): CellLists {
  const starts = new Uint32Array(names + 1)
  for (const one of name) starts[one + 1]++
  for (let one = 0; one < names; one++) starts[one + 1] += starts[one]
  const filled = starts.slice()
  const cells = new Uint32Array(name.length)
  for (let unit = 0; unit < name.length; unit++) cells[filled[name[unit]]++] = cell[unit]
  return { starts, cells }
}
