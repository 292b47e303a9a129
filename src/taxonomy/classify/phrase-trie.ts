import { mixHash } from "../../kernels/dictionary.ts"
import { sharedBytes, sharedInt32s } from "./shared-arrays.ts"

/**
 * Phrases as runs of word ids in a trie. State 0 is the start. `first[word]` is the state after one word, or -1.
 * Further edges (state, word) → state are in an open-addressing table with three numbers per slot, only for states with
 * `goesOn`. Most look-ups fail and the table is large, so a small bit table by hash, `filter`, comes first: a bit is 0
 * if there is no edge. `phraseAt[state]` is the phrase that ends there, or -1.
 */
export interface PhraseTrie {
  first: Int32Array
  edges: Int32Array
  mask: number
  filter: Int32Array
  goesOn: Uint8Array
  phraseAt: Int32Array
}

/** The state after `word`, or -1. */
export function stepTrie({ first, edges, mask, filter, goesOn }: PhraseTrie, state: number, word: number): number {
  if (state === 0) return word < first.length ? first[word] : -1
  if (goesOn[state] === 0) return -1
  const bit = slotOf(state, word) >>> filterShift
  return (filter[bit >>> 5] & (1 << (bit & 31))) === 0 ? -1 : findEdge(edges, mask, { state, word })
}

/** The filter has one bit for each value of the upper bits of a hash. That is ten for each edge of WordNet's nouns. */
const filterShift = 12

function findEdge(edges: Int32Array, mask: number, { state, word }: { state: number; word: number }): number {
  for (let slot = slotOf(state, word) & mask; edges[slot * 3 + 2] !== 0; slot = (slot + 1) & mask)
    if (edges[slot * 3] === state && edges[slot * 3 + 1] === word) return edges[slot * 3 + 2]
  return -1
}

const slotOf = (state: number, word: number) => mixHash(Math.imul(state, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca77))

/** Collects phrases. Equal phrases get one number. */
export class TrieBuilder {
  #edges = new Int32Array(3 << 10)
  #mask = (1 << 10) - 1
  readonly #first: number[] = []
  readonly #phraseAt: number[] = [-1]
  readonly #goesOn: number[] = [0]
  #phrases = 0

  /** Returns the number of the phrase with these words. It is new if the phrase was not added before. */
  add(words: readonly number[]): number {
    let state = 0
    for (const word of words) {
      const next = state === 0 ? (this.#first[word] ?? -1) : findEdge(this.#edges, this.#mask, { state, word })
      state = next < 0 ? this.#addEdge(state, word) : next
    }
    if (this.#phraseAt[state] < 0) this.#phraseAt[state] = this.#phrases++
    return this.#phraseAt[state]
  }

  finish(): PhraseTrie {
    return {
      first: sharedInt32s(Array.from(this.#first, (state) => state ?? -1)),
      edges: sharedInt32s(this.#edges),
      mask: this.#mask,
      filter: this.#makeFilter(),
      goesOn: sharedBytes(this.#goesOn),
      phraseAt: sharedInt32s(this.#phraseAt),
    }
  }

  #makeFilter(): Int32Array {
    const filter = new Int32Array(2 ** (32 - filterShift) / 32)
    const edges = this.#edges
    for (let i = 0; i < edges.length; i += 3) {
      if (edges[i + 2] === 0) continue
      const bit = slotOf(edges[i], edges[i + 1]) >>> filterShift
      filter[bit >>> 5] |= 1 << (bit & 31)
    }
    return sharedInt32s(filter)
  }

  #addEdge(state: number, word: number): number {
    const to = this.#phraseAt.push(-1) - 1
    this.#goesOn.push(0)
    if (state === 0) {
      this.#first[word] = to
      return to
    }
    if (to * 2 > this.#mask) this.#grow()
    this.#goesOn[state] = 1
    this.#put(state, word, to)
    return to
  }

  #put(state: number, word: number, to: number): void {
    const edges = this.#edges
    let slot = slotOf(state, word) & this.#mask
    while (edges[slot * 3 + 2] !== 0) slot = (slot + 1) & this.#mask
    edges[slot * 3] = state
    edges[slot * 3 + 1] = word
    edges[slot * 3 + 2] = to
  }

  #grow(): void {
    const old = this.#edges
    this.#edges = new Int32Array(old.length * 2)
    this.#mask = this.#mask * 2 + 1
    for (let i = 0; i < old.length; i += 3) if (old[i + 2] !== 0) this.#put(old[i], old[i + 1], old[i + 2])
  }
}
