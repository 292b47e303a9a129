import { firstAtLeast } from "../../kernels/search-sorted.ts"
import type { Taxonomy } from "../taxonomy.ts"
import { sharedInt32s, sharedUint32s } from "./shared-arrays.ts"

/**
 * The words of the topics' own texts, as an inverted index: word w stands in the topics nodes[offsets[w], offsets[w + 1]),
 * ascending, once for each time. Since nodes are in preorder, the postings of a whole subtree are one run: the hierarchy
 * of indices of Shou et al. 2014, §6.1, in one.
 */
export interface TopicText {
  offsets: Uint32Array
  nodes: Int32Array
  /** Words of the texts of all topics before a node; the node `size` has the words of all. */
  before: Uint32Array
}

/** `wordsOf` gives the ids, below `words()`, of the words of a text that count. */
export function indexTopicText(
  taxonomy: Taxonomy,
  options: { wordsOf: (text: string) => readonly number[]; words: () => number },
): TopicText {
  const { size } = taxonomy
  const before = new Uint32Array(size + 1)
  const found: (readonly number[])[] = []
  for (let node = 0; node < size; node++) {
    found.push(options.wordsOf(taxonomy.text(node)))
    before[node + 1] = before[node] + found[node].length
  }
  const offsets = new Uint32Array(options.words() + 1)
  for (const words of found) for (const word of words) offsets[word + 1]++
  for (let word = 0; word + 1 < offsets.length; word++) offsets[word + 1] += offsets[word]
  const next = offsets.slice()
  const nodes = new Int32Array(before[size])
  found.forEach((words, node) => {
    for (const word of words) nodes[next[word]++] = node
  })
  return { offsets: sharedUint32s(offsets), nodes: sharedInt32s(nodes), before: sharedUint32s(before) }
}

/** N_{t,w} over the subtree [from, to): how often a word stands in its texts. */
export function countInSubtree(
  { offsets, nodes }: TopicText,
  word: number,
  subtree: { from: number; to: number },
): number {
  const end = offsets[word + 1]
  const first = firstAtLeast(nodes, subtree.from, { from: offsets[word], to: end })
  return first === end || nodes[first] >= subtree.to
    ? 0
    : firstAtLeast(nodes, subtree.to, { from: first, to: end }) - first
}
