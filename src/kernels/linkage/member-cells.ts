import { gatherReleasedCells, largestCell, type ReleasedCells } from "./released-cells.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"
import { CellVotes, drawTargets, type SharedWordsOptions } from "./shared-words.ts"
import type { TextWords } from "./text-words.ts"

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
 * among equals; nobody if all sums are 0.
 */
export function linkByMemberCells(stream: ReleasedStream, options: SharedWordsOptions): Int32Array {
  const { words, cell, random, most = 2 ** 18 } = options
  const cells = gatherReleasedCells(stream, cell)
  const targets = drawTargets(cells, { most, largest: largestCell(options), random })
  const cellsOf = listCells(cells, countIds(stream.user))
  const weigh = createWeigher(cells, words)
  const votes = new CellVotes(cells, { names: countIds(stream.user) })
  const choice = new Int32Array(cells.name.length).fill(-1)
  const { starts, name } = cells
  for (const unit of targets) {
    const own = cells.cell[unit]
    votes.open(own)
    weigh.open(unit)
    for (let place = starts[own]; place < starts[own + 1]; place++) {
      const member = name[place]
      if (member === name[unit] || votes.sum[member] > 0) continue
      const [from, to] = [
        cellsOf.starts[member],
        Math.min(cellsOf.starts[member + 1], cellsOf.starts[member] + mostCells),
      ]
      for (let i = from; i < to; i++) {
        const other = cellsOf.cells[i]
        let vote = 0
        for (let by = starts[other]; other !== own && by < starts[other + 1]; by++)
          if (name[by] !== member) vote = Math.max(vote, weigh.weight(by))
        votes.sum[member] += vote
      }
    }
    weigh.close(unit)
    choice[unit] = votes.best(name[unit], random)
  }
  return Int32Array.from(cells.unitOf, (unit) => choice[unit])
}

/** The cells of each name n: cells[starts[n], starts[n + 1]). Units are numbered cell by cell. */
function listCells({ name, cell }: ReleasedCells, names: number): { starts: Uint32Array; cells: Uint32Array } {
  const starts = new Uint32Array(names + 1)
  for (const one of name) starts[one + 1]++
  for (let one = 0; one < names; one++) starts[one + 1] += starts[one]
  const filled = starts.slice()
  const cells = new Uint32Array(name.length)
  for (let unit = 0; unit < name.length; unit++) cells[filled[name[unit]]++] = cell[unit]
  return { starts, cells }
}

/** Weighs units against the open one. */
function createWeigher({ text }: ReleasedCells, { offsets, words }: TextWords) {
  const counts = new Uint32Array(words.reduce((most, word) => Math.max(most, word), -1) + 1)
  const visit = (unit: number, see: (word: number) => void) => {
    for (let i = offsets[text[unit]]; i < offsets[text[unit] + 1]; i++) see(words[i])
  }
  for (let unit = 0; unit < text.length; unit++) visit(unit, (word) => counts[word]++)
  const surprise = new Float32Array(counts.length)
  let length = 0
  const lengthOf = (unit: number) => offsets[text[unit] + 1] - offsets[text[unit]]
  return {
    open(unit: number): void {
      length = lengthOf(unit)
      visit(unit, (word) => {
        surprise[word] = Math.log(text.length / counts[word])
      })
    },
    close(unit: number): void {
      visit(unit, (word) => {
        surprise[word] = 0
      })
    },
    weight(unit: number): number {
      let sum = 0
      for (let i = offsets[text[unit]]; i < offsets[text[unit] + 1]; i++) sum += surprise[words[i]]
      return sum === 0 ? 0 : sum / Math.sqrt(length * lengthOf(unit))
    },
  }
}
