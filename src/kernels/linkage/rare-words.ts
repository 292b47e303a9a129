import type { ReleasedCells } from "./released-cells.ts"
import type { TextWords } from "./text-words.ts"

/** A word in more released units than this says nothing about who typed it. */
const mostUnits = 60

/**
 * Finds the units that share rare words with a given one. A word is rare if at most 60 units have it, and not all units
 * do. The weight of two units is Σ log(N/df) over the rare words they share, divided by the square root of the product
 * of their lengths in words.
 *
 * The index holds only the words of `targets`, so a sample of a large release costs little.
 */
export class RareWordIndex {
  /** After `find`: the units found, ascending, so that units of one cell are next to each other. */
  readonly found: Uint32Array
  /** After `find`, by unit found: the weight. */
  readonly weight: Float32Array
  readonly #cells: ReleasedCells
  readonly #words: TextWords
  /** By word: where its units begin. A word that is not rare has none. */
  readonly #starts: Uint32Array
  readonly #units: Uint32Array
  /** By word: log(N/df). */
  readonly #surprise: Float32Array

  constructor(cells: ReleasedCells, words: TextWords, targets: Uint32Array) {
    this.#cells = cells
    this.#words = words
    const { text } = cells
    let size = 0
    for (const word of words.words) if (word >= size) size = word + 1
    const isWanted = new Uint8Array(size)
    const visit = (unit: number, see: (word: number) => void) => {
      for (let i = words.offsets[text[unit]]; i < words.offsets[text[unit] + 1]; i++) see(words.words[i])
    }
    for (const unit of targets) {
      visit(unit, (word) => {
        isWanted[word] = 1
      })
    }
    const count = new Uint32Array(size)
    for (let unit = 0; unit < text.length; unit++) visit(unit, (word) => count[word]++)
    // A word of all units weighs nothing, and `find` takes a weight of 0 to mean that a unit was not found yet.
    const most = Math.min(mostUnits, text.length - 1)
    const isRare = (word: number) => isWanted[word] === 1 && count[word] > 1 && count[word] <= most
    this.#starts = new Uint32Array(size + 1)
    this.#surprise = new Float32Array(size)
    let longest = 0
    for (let word = 0; word < size; word++) {
      this.#starts[word + 1] = this.#starts[word] + (isRare(word) ? count[word] : 0)
      this.#surprise[word] = count[word] === 0 ? 0 : Math.log(text.length / count[word])
    }
    this.#units = new Uint32Array(this.#starts[size])
    const filled = this.#starts.slice()
    for (let unit = 0; unit < text.length; unit++) {
      longest = Math.max(longest, words.offsets[text[unit] + 1] - words.offsets[text[unit]])
      visit(unit, (word) => {
        if (this.#starts[word + 1] > this.#starts[word]) this.#units[filled[word]++] = unit
      })
    }
    this.found = new Uint32Array(longest * mostUnits)
    this.weight = new Float32Array(text.length)
  }

  /**
   * Finds the units that share a rare word with `unit`, in the other cells that are wanted; returns their number. Call
   * `clear` before the next.
   */
  find(unit: number, isWanted: (cell: number) => boolean): number {
    const { text, cell } = this.#cells
    const { offsets, words } = this.#words
    const { found, weight } = this
    const own = text[unit]
    let met = 0
    for (let i = offsets[own]; i < offsets[own + 1]; i++) {
      const word = words[i]
      for (let at = this.#starts[word]; at < this.#starts[word + 1]; at++) {
        const other = this.#units[at]
        if (weight[other] === 0) found[met++] = other
        weight[other] += this.#surprise[word]
      }
    }
    let count = 0
    for (let i = 0; i < met; i++) {
      const other = found[i]
      if (cell[other] !== cell[unit] && isWanted(cell[other])) found[count++] = other
      else weight[other] = 0
    }
    if (count > 1) found.subarray(0, count).sort()
    const length = offsets[own + 1] - offsets[own]
    for (let i = 0; i < count; i++) {
      const other = text[found[i]]
      weight[found[i]] /= Math.sqrt(length * (offsets[other + 1] - offsets[other]))
    }
    return count
  }

  /** Clears the weights of the last `count` units found. */
  clear(count: number): void {
    for (let i = 0; i < count; i++) this.weight[this.found[i]] = 0
  }
}
