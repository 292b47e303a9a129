import { hashBytes, Interner } from "../../kernels/dictionary.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { sharedInt32s, sharedUint32s } from "../classify/shared-arrays.ts"
import type { PageColumns } from "./page-columns.ts"
import { pageWordReader } from "./page-words.ts"

/** Collects the pages of topics, in any order, until the tree is built. Only the words of each page are kept. */
export class PageGatherer {
  readonly #wordsOf = pageWordReader()
  readonly #words = new Interner()
  /** For each page: its topic in the draft, and where its words end in `#found`. */
  readonly #topic: number[] = []
  readonly #ends: number[] = []
  #found = new Uint32Array(1 << 12)
  #used = 0

  /** Adds a page to a topic. A page without words also counts for its topic, but no query finds it. */
  add(topic: number, text: string): void {
    const words = this.#wordsOf(text)
    const end = this.#used + words.length
    if (end > this.#found.length) {
      if (end > 0x7fff_ffff) throw new QueryveilError("input-size", "The pages of the taxonomy have too many words.")
      const found = new Uint32Array(Math.max(end, this.#found.length * 2))
      found.set(this.#found)
      this.#found = found
    }
    for (const word of words) {
      const bytes = Buffer.from(word)
      const hash = hashBytes(bytes, 0, bytes.length, this.#words.seed)
      this.#found[this.#used++] = this.#words.intern(bytes, 0, bytes.length, hash)
    }
    this.#topic.push(topic)
    this.#ends.push(end)
  }

  /** The index, or undefined if there are no pages. `idOf` maps a topic of the draft to the tree. */
  finish(idOf: (topic: number) => number): PageColumns | undefined {
    if (this.#topic.length === 0) return undefined
    const topics = this.#topic.map(idOf)
    const order = Uint32Array.from(topics, (_, page) => page).sort((a, b) => topics[a] - topics[b] || a - b)
    const { rankOf, ...words } = this.#sortWords()
    const postingOffsets = new Uint32Array(rankOf.length + 1)
    for (let at = 0; at < this.#used; at++) postingOffsets[rankOf[this.#found[at]] + 1]++
    for (let word = 0; word < rankOf.length; word++) postingOffsets[word + 1] += postingOffsets[word]
    const next = postingOffsets.slice()
    const postings = new Uint32Array(this.#used)
    order.forEach((draft, page) => {
      for (let at = draft === 0 ? 0 : this.#ends[draft - 1]; at < this.#ends[draft]; at++)
        postings[next[rankOf[this.#found[at]]]++] = page
    })
    return {
      topic: sharedInt32s(Array.from(order, (draft) => topics[draft])),
      ...words,
      postingOffsets: sharedUint32s(postingOffsets),
      postings: sharedUint32s(postings),
    }
  }

  /** The words in byte order, and the position of each id among them. */
  #sortWords() {
    const { arena, offsets } = this.#words.freeze().parts()
    const bytesOf = (id: number) => arena.subarray(offsets[id], offsets[id + 1])
    const order = Uint32Array.from({ length: this.#words.size }, (_, id) => id)
    order.sort((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)))
    const rankOf = new Uint32Array(order.length)
    const wordOffsets = new Uint32Array(new SharedArrayBuffer((order.length + 1) * 4))
    const wordArena = new Uint8Array(new SharedArrayBuffer(offsets[order.length]))
    order.forEach((id, rank) => {
      rankOf[id] = rank
      wordArena.set(bytesOf(id), wordOffsets[rank])
      wordOffsets[rank + 1] = wordOffsets[rank] + bytesOf(id).length
    })
    return { rankOf, wordArena, wordOffsets }
  }
}
