import type { ReleasedCells } from "./released-cells.ts"
import type { TextWords } from "./text-words.ts"

/**
 * Compares units of other cells with all units of the open cell at once. The weight of two units is Σ log(N/df) over
 * the words that they share, divided by the square root of the product of their lengths.
 */
export class CellComparer {
  readonly #cells: ReleasedCells
  readonly #text: TextWords
  /** By unit: its words that are in several units. A word of one unit is shared by nobody. */
  readonly #offsets: Uint32Array
  readonly #words: Int32Array
  /** By word: log(N/df). */
  readonly #surprise: Float32Array
  /** The units of the open cell that have a word, as lists: by word its first entry, or -1; by entry a unit. */
  readonly #first: Int32Array
  #unit = new Int32Array(64)
  #next = new Int32Array(64)
  #entries = 0
  #from = 0
  #size = 0
  /** By unit of the open cell: the sum for the unit that is compared, and the largest weight since the last vote. */
  #sum = new Float64Array(0)
  #largest = new Float64Array(0)
  #hasVotes = false
  /** By unit and place of the open cell: the sum of the votes. */
  #votes = new Float64Array(0)
  #met = new Int32Array(0)

  constructor(cells: ReleasedCells, text: TextWords) {
    this.#cells = cells
    this.#text = text
    const units = cells.text.length
    const count = new Uint32Array(text.words.reduce((most, word) => Math.max(most, word), -1) + 1)
    const visit = (unit: number, see: (word: number) => void) => {
      const own = cells.text[unit]
      for (let i = text.offsets[own]; i < text.offsets[own + 1]; i++) see(text.words[i])
    }
    for (let unit = 0; unit < units; unit++) visit(unit, (word) => count[word]++)
    // A word of all units weighs nothing.
    const isShared = (word: number) => count[word] > 1 && count[word] < units
    this.#surprise = Float32Array.from(count, (df) => (df === 0 ? 0 : Math.log(units / df)))
    this.#first = new Int32Array(count.length).fill(-1)
    this.#offsets = new Uint32Array(units + 1)
    this.#words = new Int32Array(count.reduce((sum, df) => sum + (df > 1 && df < units ? df : 0), 0))
    let size = 0
    for (let unit = 0; unit < units; unit++) {
      visit(unit, (word) => {
        if (isShared(word)) this.#words[size++] = word
      })
      this.#offsets[unit + 1] = size
    }
  }

  open(cell: number): void {
    const { starts } = this.#cells
    this.#from = starts[cell]
    this.#size = starts[cell + 1] - starts[cell]
    if (this.#sum.length < this.#size) {
      this.#sum = new Float64Array(this.#size)
      this.#largest = new Float64Array(this.#size)
      this.#met = new Int32Array(this.#size)
      this.#votes = new Float64Array(this.#size ** 2)
    }
    this.#votes.fill(0, 0, this.#size ** 2)
    this.#entries = 0
    for (let unit = 0; unit < this.#size; unit++) {
      const [from, to] = [this.#offsets[this.#from + unit], this.#offsets[this.#from + unit + 1]]
      if (this.#entries + to - from > this.#unit.length) this.#grow(this.#entries + to - from)
      for (let i = from; i < to; i++) {
        const word = this.#words[i]
        this.#unit[this.#entries] = unit
        this.#next[this.#entries] = this.#first[word]
        this.#first[word] = this.#entries++
      }
    }
  }

  #grow(least: number): void {
    const [unit, next] = [this.#unit, this.#next]
    this.#unit = new Int32Array(2 * least)
    this.#next = new Int32Array(2 * least)
    this.#unit.set(unit)
    this.#next.set(next)
  }

  /** Compares a unit of another cell. */
  compare(by: number): void {
    const [words, first, next, unitOf, sum, met] = [
      this.#words,
      this.#first,
      this.#next,
      this.#unit,
      this.#sum,
      this.#met,
    ]
    let touched = 0
    for (let i = this.#offsets[by], end = this.#offsets[by + 1]; i < end; i++) {
      for (let entry = first[words[i]]; entry >= 0; entry = next[entry]) {
        const unit = unitOf[entry]
        if (sum[unit] === 0) met[touched++] = unit
        sum[unit] += this.#surprise[words[i]]
      }
    }
    const largest = this.#largest
    for (let i = 0; i < touched; i++) {
      const weight = sum[met[i]] / Math.sqrt(this.#lengthOf(this.#from + met[i]) * this.#lengthOf(by))
      if (weight > largest[met[i]]) largest[met[i]] = weight
      sum[met[i]] = 0
    }
    if (touched > 0) this.#hasVotes = true
  }

  /** Adds, for each unit of the open cell, the largest weight since the last call to the votes of the member there. */
  addVotes(at: number): void {
    if (!this.#hasVotes) return
    this.#hasVotes = false
    const place = at - this.#from
    for (let unit = 0; unit < this.#size; unit++) {
      this.#votes[unit * this.#size + place] += this.#largest[unit]
      this.#largest[unit] = 0
    }
  }

  /** Writes the votes for a unit of the open cell, by name. A name has its votes at its first place. */
  readVotes(unit: number, sum: Float64Array): void {
    const { name } = this.#cells
    const row = (unit - this.#from) * this.#size
    for (let place = this.#size - 1; place >= 0; place--) sum[name[this.#from + place]] = this.#votes[row + place]
  }

  /** Closes the open cell. */
  close(): void {
    for (let i = this.#offsets[this.#from]; i < this.#offsets[this.#from + this.#size]; i++)
      this.#first[this.#words[i]] = -1
  }

  #lengthOf(unit: number): number {
    const own = this.#cells.text[unit]
    return this.#text.offsets[own + 1] - this.#text.offsets[own]
  }
}
