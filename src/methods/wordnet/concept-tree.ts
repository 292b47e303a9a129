import type { WordNet } from "../../wordnet/wordnet.ts"

/** WordNet's nouns as a tree. The parent of a noun is its first hypernym; the root is `entity`. */
export interface ConceptTree {
  root: number
  parent: Int32Array
  /** Every synset, parents before children. */
  order: Int32Array
  /** Number of leaves of the subtree. A leaf has one, itself. */
  leaves: Int32Array
  /**
   * Normalised certainty penalty of an item that is generalised to a synset: 0 for a leaf, else its share of all
   * leaves. Carpineto & Romano 2015, eq. 6.
   */
  penalty: Float64Array
}

export function growConceptTree(wordnet: WordNet): ConceptTree {
  return treeOf(Int32Array.from({ length: wordnet.synsets }, (_, synset) => wordnet.parent(synset)))
}

/** Builds the tree from parents, of which exactly one is -1. */
export function treeOf(parent: Int32Array): ConceptTree {
  const order = orderFromRoot(parent)
  const leaves = new Int32Array(parent.length)
  for (let i = order.length - 1; i >= 0; i--) {
    const synset = order[i]
    if (leaves[synset] === 0) leaves[synset] = 1
    if (parent[synset] >= 0) leaves[parent[synset]] += leaves[synset]
  }
  const root = order[0]
  const penalty = Float64Array.from(leaves, (count) => (count === 1 ? 0 : count / leaves[root]))
  return { root, parent, order, leaves, penalty }
}

/** Breadth-first order. Children are listed by counting sort on the parent. */
function orderFromRoot(parent: Int32Array): Int32Array {
  const starts = new Int32Array(parent.length + 2)
  for (const above of parent) starts[above + 2]++
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1]
  const children = new Int32Array(parent.length)
  const next = starts.slice()
  for (let synset = 0; synset < parent.length; synset++) children[next[parent[synset] + 1]++] = synset
  const order = new Int32Array(parent.length)
  order[0] = children[0] // the only one without a parent
  for (let at = 0, end = 1; at < end; at++) {
    for (let i = starts[order[at] + 1]; i < starts[order[at] + 2]; i++) order[end++] = children[i]
  }
  return order
}
