import { pairWords } from "./state-messages.ts"

/** Pairs in blocks of `pairWords` words each. As numbers of a plain array, millions of pairs would take gigabytes. */
export class PairList {
  readonly #blockWords: number
  #full: Uint32Array[] = []
  #last = new Uint32Array(pairWords)
  #words = 0

  /** No block has more pairs than `blockPairs`. */
  constructor(blockPairs: number) {
    this.#blockWords = blockPairs * pairWords
  }

  push(generation: number, high: number, low: number, topic: number): void {
    if (this.#words === this.#blockWords) {
      this.#full.push(this.#last)
      this.#last = new Uint32Array(pairWords)
      this.#words = 0
    }
    if (this.#words === this.#last.length) this.#grow()
    this.#last[this.#words++] = generation
    this.#last[this.#words++] = high
    this.#last[this.#words++] = low
    this.#last[this.#words++] = topic
  }

  /** Returns the blocks, and empties the list. */
  take(): Uint32Array[] {
    const blocks = this.#full
    if (this.#words > 0) blocks.push(this.#last.slice(0, this.#words))
    this.#full = []
    this.#words = 0
    return blocks
  }

  #grow(): void {
    const larger = new Uint32Array(Math.min(this.#blockWords, this.#last.length * 2))
    larger.set(this.#last)
    this.#last = larger
  }
}
