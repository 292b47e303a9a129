import { type RandomSource, shuffle } from "../random.ts"
import { CellMembers } from "./cell-members.ts"
import { countVotes, listVotes } from "./list-votes.ts"
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
  const members = new CellMembers(cells, { names: countIds(stream.user) })
  const votes = listVotes(cells, { words, targets, members })
  const choice = new Int32Array(cells.name.length).fill(-1)
  targets.forEach((unit, target) => {
    if (votes.starts[target] === votes.starts[target + 1]) return
    members.open(cells.cell[unit])
    countVotes(votes, cells, { target, members })
    choice[unit] = members.best(cells.name[unit], random)
  })
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
