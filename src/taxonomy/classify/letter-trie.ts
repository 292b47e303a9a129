import { sharedBytes, sharedInt32s } from "./shared-arrays.ts"

const letters = 26

/**
 * Words of the letters a to z, as paths in a trie. The children of node n are [next[n], next[n + 1]), each with the
 * letter (0 to 25) that leads to it. Nodes are numbered level by level, so the nodes of short prefixes, which are read
 * most, are next to each other. `afterTwo` and `afterThree` hold the node of every prefix of that length, or 0 if no
 * word begins with it. Most look-ups end there.
 */
export interface LetterTrie {
  next: Int32Array
  letter: Uint8Array
  /** 1 if a word ends here. */
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

/** Collects words. Nodes are in the order of their creation, and the children of a node are a linked list. */
export class LetterTrieBuilder {
  readonly #letter = [0]
  readonly #isWord = [0]
  readonly #firstAfter = [0]
  readonly #sibling = [0]

  /** Adds the word bytes[start, end), which has only the letters a to z. */
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
