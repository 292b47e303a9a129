import { sharedBytes, sharedInt32s } from "./shared-arrays.ts"

const letters = 26

/**
 * Words of the letters a to z as paths. The nodes after node n are [next[n], next[n + 1]), each with the letter (0 to 25) that
 * leads to it; nodes are numbered level by level, so those of short beginnings, which are looked at most, lie together.
 * `afterTwo` and `afterThree` have the node of all such beginnings, 0 where no word begins so: most looks end there.
 */
export interface LetterTrie {
  next: Int32Array
  letter: Uint8Array
  /** 1 where a word ends. */
  isWord: Uint8Array
  afterTwo: Int32Array
  afterThree: Int32Array
}

/** The node after one more letter, or 0. */
export function stepLetter({ next, letter }: LetterTrie, node: number, wanted: number): number {
  const end = next[node + 1]
  for (let at = next[node]; at < end; at++) if (letter[at] === wanted) return at
  return 0
}

/** Gathers words; nodes are in the order of their making, those after one node a list. */
export class LetterTrieBuilder {
  readonly #letter = [0]
  readonly #isWord = [0]
  readonly #firstAfter = [0]
  readonly #sibling = [0]

  /** The word bytes[start, end), which has no letters but a to z. */
  add(bytes: Uint8Array, start: number, end: number): void {
    let node = 0
    for (let i = start; i < end; i++) {
      const letter = bytes[i] - 97
      let after = this.#firstAfter[node]
      while (after !== 0 && this.#letter[after] !== letter) after = this.#sibling[after]
      node = after === 0 ? this.#addNode(node, letter) : after
    }
    this.#isWord[node] = 1
  }

  finish(): LetterTrie {
    const nodes = this.#letter.length
    const next = new Int32Array(nodes + 1)
    const order = new Int32Array(nodes) // the builder's node, by its number level by level
    const codes = new Int32Array(nodes)
    const [afterTwo, afterThree] = [new Int32Array(letters ** 2), new Int32Array(letters ** 3)]
    const ends = [1, 0, 0, 0] // where the nodes of each length end
    let count = 1
    for (let node = 0, length = 0; node < nodes; node++) {
      next[node] = count
      for (let after = this.#firstAfter[order[node]]; after !== 0; after = this.#sibling[after]) {
        codes[count] = codes[node] * letters + this.#letter[after]
        order[count++] = after
      }
      if (length < 3 && node + 1 === ends[length]) ends[++length] = count
    }
    next[nodes] = count
    for (let node = ends[1]; node < ends[2]; node++) afterTwo[codes[node]] = node
    for (let node = ends[2]; node < ends[3]; node++) afterThree[codes[node]] = node
    return {
      next: sharedInt32s(next),
      letter: sharedBytes(Uint8Array.from(order, (node) => this.#letter[node])),
      isWord: sharedBytes(Uint8Array.from(order, (node) => this.#isWord[node])),
      afterTwo: sharedInt32s(afterTwo),
      afterThree: sharedInt32s(afterThree),
    }
  }

  #addNode(parent: number, letter: number): number {
    const node = this.#letter.push(letter) - 1
    this.#isWord.push(0)
    this.#firstAfter.push(0)
    this.#sibling.push(this.#firstAfter[parent])
    this.#firstAfter[parent] = node
    return node
  }
}
