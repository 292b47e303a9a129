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
  /**
   * After `find`: the units found, ascending, so that units of one cell are next to each other; and by unit the weight.
   */
  readonly found: Uint32Array
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
   * Finds the units of other cells that share a rare word with `unit`; returns their number. Call `clear` before the
   * next.
   */
  find(unit: number): number {
    const { text, cell } = this.#cells
    const { offsets, words } = this.#words
    const own = text[unit]
    let count = 0
    for (let i = offsets[own]; i < offsets[own + 1]; i++) {
      const word = words[i]
      for (let at = this.#starts[word]; at < this.#starts[word + 1]; at++) {
        const other = this.#units[at]
        if (cell[other] === cell[unit]) continue
        if (this.weight[other] === 0) this.found[count++] = other
        this.weight[other] += this.#surprise[word]
      }
    }
    this.found.subarray(0, count).sort()
    const length = offsets[own + 1] - offsets[own]
    for (let i = 0; i < count; i++) {
      const other = text[this.found[i]]
      this.weight[this.found[i]] /= Math.sqrt(length * (offsets[other + 1] - offsets[other]))
    }
    return count
  }

  /** Clears the weights of the last `count` units found. */
  clear(count: number): void {
    for (let i = 0; i < count; i++) this.weight[this.found[i]] = 0
  }
}
