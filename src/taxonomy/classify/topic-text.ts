import { firstAtLeast } from "../../kernels/search-sorted.ts"
import type { Taxonomy } from "../taxonomy.ts"
import { sharedInt32s, sharedUint32s } from "./shared-arrays.ts"

/**
 * The words of the topics' own texts, as an inverted index. Word w occurs in the topics
 * nodes[offsets[w], offsets[w + 1]), ascending, once per occurrence. Nodes are in preorder, so the postings of a whole
 * subtree are one run. This index replaces the hierarchy of indices of Shou et al. 2014, §6.1.
 */
export interface TopicText {
  offsets: Uint32Array
  nodes: Int32Array
  /** Four numbers per node (`subtreeField`). They are read together, so they share one cache line. */
  subtrees: Int32Array
  /** For each word: the branches in which it occurs. */
  branches: Int32Array
}

/** Positions of the numbers of a node. */
export const subtreeField = {
  parent: 0,
  end: 1,
  /** Number of words in the texts of its subtree. */
  words: 2,
  /** A bit for the topic of level 1 that contains the node. If there are many such topics, some share a bit. */
  branch: 3,
} as const

/** Indexes the topics' texts. `wordsOf` returns the ids, below `words()`, of the words of a text that count. */
export function indexTopicText(
  taxonomy: Pick<Taxonomy, "size" | "parent" | "end" | "text">,
  options: { wordsOf: (text: string) => readonly number[]; words: () => number },
): TopicText {
  const { size, parent, end } = taxonomy
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
  const subtrees = new Int32Array(size * 4)
  for (let node = 0, branch = 0; node < size; node++) {
    if (parent[node] === 0) branch++
    subtrees[node * 4 + subtreeField.parent] = parent[node]
    subtrees[node * 4 + subtreeField.end] = end[node]
    subtrees[node * 4 + subtreeField.words] = before[end[node]] - before[node]
    subtrees[node * 4 + subtreeField.branch] = 1 << (branch & 31)
  }
  const branches = new Int32Array(offsets.length - 1)
  found.forEach((words, node) => {
    for (const word of words) branches[word] |= subtrees[node * 4 + subtreeField.branch]
  })
  return {
    offsets: sharedUint32s(offsets),
    nodes: sharedInt32s(nodes),
    subtrees: sharedInt32s(subtrees),
    branches: sharedInt32s(branches),
  }
}

/** N_{t,w} over the subtree [from, to): how often a word occurs in its texts. */
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
