import { searchSorted } from "../kernels/search-sorted.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"

/**
 * A rooted subtree of the taxonomy in its own columns. Nodes are in preorder from the root, 0. The subtree of a node is
 * [id, end[id]). The root is always included, so size ≥ 1.
 */
export interface TopicTree {
  readonly taxonomy: Taxonomy
  readonly size: number
  /** Maps each node to its topic in the taxonomy. Ascending, because both are in preorder. */
  readonly topic: Int32Array
  /** -1 for the root. */
  readonly parent: Int32Array
  readonly end: Int32Array
  readonly depth: Uint8Array
}

/** The trie of topics: the topics and all their ancestors. Shou et al. 2014, Table 1. */
export function trieOf(taxonomy: Taxonomy, topics: Iterable<number>): TopicTree {
  const nodes = new Set<number>([0])
  for (const topic of topics) {
    for (let at = topic; !nodes.has(at); at = taxonomy.parent[at]) nodes.add(at)
  }
  const topic = Int32Array.from(nodes).sort()
  const size = topic.length
  const parent = new Int32Array(size).fill(-1)
  const end = new Int32Array(size)
  const depth = new Uint8Array(size)
  let last = 0
  for (let node = 0; node < size; node++) {
    // The previous node is the last leaf of the open path. Go up until this node is below it.
    while (node > 0 && taxonomy.end[topic[last]] <= topic[node]) {
      end[last] = node
      last = parent[last]
    }
    if (node > 0) parent[node] = last
    depth[node] = taxonomy.depth[topic[node]]
    last = node
  }
  for (; last >= 0; last = parent[last]) end[last] = size
  return { taxonomy, size, topic, parent, end, depth }
}

/** The node of a topic, or -1. */
export function nodeOf({ topic, size }: TopicTree, wanted: number): number {
  return searchSorted(topic, wanted, { to: size })
}

/** The path of a node in its taxonomy. */
export const pathOf = ({ taxonomy, topic }: TopicTree, node: number): string => taxonomy.path(topic[node])

/** IC(t) = −log2 Pr(t), with Pr(t) = sup(t) / sup(root) of the public supports. Eq. 1–3 and 9. */
export function informationContent({ support }: Taxonomy, topic: number): number {
  return Math.log2(support[0] / support[topic])
}
