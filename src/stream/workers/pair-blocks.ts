import type { RestoredBlock } from "./restore-state.ts"
import { encodePairs, pairsKey, pairWords } from "./state-messages.ts"

/** Words per pair in a block: the generation is in the key. */
const blockWidth = pairWords - 1
const noPairs = new Uint32Array(0)

interface PairMessage {
  key: string
  value: Buffer | null
  /** How many pairs were not written before. */
  pairs: number
}

/**
 * The blocks in which a changelog keeps remembered pairs. A block that is full is never written again, only the last of
 * a generation is. But all are, if the secret has changed.
 */
export class PairBlocks {
  readonly #blockWords: number
  /** Pairs that no block has, in lists, and how far they have been taken. */
  #added: Uint32Array[] = []
  #list = 0
  #at = 0
  /** By generation: the number of blocks that are full. */
  readonly #full = new Map<number, number>()
  /** The block that is not full yet, and whether it has pairs that are not written. */
  #generation = 0
  #last: Uint32Array
  #length = 0
  #hasNews = false
  /** Blocks that are encrypted under an earlier secret. */
  #stale: { key: string; words: Uint32Array }[] = []
  /** Keys of blocks that are no longer remembered. */
  readonly #forgotten: string[] = []

  constructor(blockPairs: number) {
    this.#blockWords = blockPairs * blockWidth
    this.#last = new Uint32Array(this.#blockWords)
  }

  /** Notes a block that the changelog has. Blocks must come in order. */
  restore({ key, generation, words, isStale }: RestoredBlock): void {
    if (isStale) this.#stale.push({ key, words })
    this.#enter(generation)
    this.#last.set(words)
    this.#length = words.length
    if (this.#length === this.#blockWords) this.#close()
  }

  /** Adds lists of pairs of `pairWords` words. None may be empty, and all that were added before must be written. */
  add(pairs: Uint32Array[]): void {
    this.#added = pairs
    this.#list = 0
  }

  /** The next message that brings the changelog nearer to what was added; undefined if it has everything. */
  next(): PairMessage | undefined {
    const stale = this.#stale.pop()
    if (stale !== undefined) return { key: stale.key, value: encodePairs(stale.words), pairs: 0 }
    let pairs = 0
    for (; this.#list < this.#added.length; this.#step()) {
      const words = this.#added[this.#list]
      const at = this.#at
      if (words[at] !== this.#generation) {
        if (this.#hasNews) return this.#put(pairs)
        this.#enter(words[at])
      }
      for (let word = 1; word < pairWords; word++) this.#last[this.#length++] = words[at + word]
      this.#hasNews = true
      pairs++
      if (this.#length < this.#blockWords) continue
      const message = this.#put(pairs)
      this.#close()
      this.#step()
      return message
    }
    if (this.#hasNews) return this.#put(pairs)
    const key = this.#forgotten.pop()
    return key === undefined ? undefined : { key, value: null, pairs: 0 }
  }

  /** Goes to the next added pair. */
  #step(): void {
    this.#at += pairWords
    if (this.#at < this.#added[this.#list].length) return
    this.#added[this.#list++] = noPairs
    this.#at = 0
  }

  #put(pairs: number): PairMessage {
    this.#hasNews = false
    const key = pairsKey(this.#generation, this.#full.get(this.#generation) ?? 0)
    return { key, value: encodePairs(this.#last.subarray(0, this.#length)), pairs }
  }

  #enter(generation: number): void {
    if (generation === this.#generation) return
    this.#full.set(this.#generation, this.#full.get(this.#generation) ?? 0)
    this.#generation = generation
    this.#length = 0
    for (const [other, blocks] of this.#full) {
      if (other >= generation - 1) continue
      for (let block = 0; block <= blocks; block++) this.#forgotten.push(pairsKey(other, block))
      this.#full.delete(other)
    }
  }

  #close(): void {
    this.#full.set(this.#generation, (this.#full.get(this.#generation) ?? 0) + 1)
    this.#length = 0
  }
}
