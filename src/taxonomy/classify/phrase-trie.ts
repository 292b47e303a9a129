import { mixHash } from "../../kernels/dictionary.ts"
import { sharedInt32s } from "./shared-arrays.ts"

/**
 * Phrases as runs of word ids in a trie: edges (state, word) → state by open addressing, three numbers a slot; state 0 is
 * the start. `phraseAt[state]` is the phrase that ends there, or -1.
 */
export interface PhraseTrie {
  edges: Int32Array
  phraseAt: Int32Array
}

/** The state after `word`, or -1. */
export function stepTrie({ edges }: PhraseTrie, state: number, word: number): number {
  const mask = edges.length / 3 - 1
  for (let slot = slotOf(state, word) & mask; edges[slot * 3 + 2] !== 0; slot = (slot + 1) & mask)
    if (edges[slot * 3] === state && edges[slot * 3 + 1] === word) return edges[slot * 3 + 2]
  return -1
}

const slotOf = (state: number, word: number) => mixHash(Math.imul(state, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca77))

/** Gathers phrases; equal ones are one. */
export class TrieBuilder {
  #edges = new Int32Array(3 << 10)
  #states = 1
  #phraseAt: number[] = [-1]
  #phrases = 0

  /** The phrase of these words; its number is new if none was added before. */
  add(words: readonly number[]): number {
    let state = 0
    for (const word of words) {
      const next = stepTrie({ edges: this.#edges, phraseAt: emptyArray }, state, word)
      state = next < 0 ? this.#addEdge(state, word) : next
    }
    if (this.#phraseAt[state] < 0) this.#phraseAt[state] = this.#phrases++
    return this.#phraseAt[state]
  }

  finish(): PhraseTrie {
    return { edges: sharedInt32s(this.#edges), phraseAt: sharedInt32s(this.#phraseAt) }
  }

  #addEdge(state: number, word: number): number {
    if (this.#states * 2 > this.#edges.length / 3) this.#grow()
    const to = this.#states++
    this.#phraseAt.push(-1)
    put(this.#edges, state, word, to)
    return to
  }

  #grow(): void {
    const old = this.#edges
    this.#edges = new Int32Array(old.length * 2)
    for (let i = 0; i < old.length; i += 3) if (old[i + 2] !== 0) put(this.#edges, old[i], old[i + 1], old[i + 2])
  }
}

const emptyArray = new Int32Array(0)

function put(edges: Int32Array, state: number, word: number, to: number): void {
  const mask = edges.length / 3 - 1
  let slot = slotOf(state, word) & mask
  while (edges[slot * 3 + 2] !== 0) slot = (slot + 1) & mask
  edges[slot * 3] = state
  edges[slot * 3 + 1] = word
  edges[slot * 3 + 2] = to
}
