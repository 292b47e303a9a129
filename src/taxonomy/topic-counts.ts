import type { TreeCounts } from "../kernels/tree-distance.ts"
import type { Taxonomy } from "./taxonomy.ts"

/** Counts on some nodes of a taxonomy. A node may occur more than once. */
export interface TopicCounts extends TreeCounts {
  nodes: number[]
  counts: number[]
}

/** The same counts, with topics below a level moved up to it. */
export function cutAt({ parent, depth }: Taxonomy, { nodes, counts }: TopicCounts, level: number): TopicCounts {
  const cut = (node: number) => {
    let at = node
    while (depth[at] > level) at = parent[at]
    return at
  }
  return { nodes: nodes.map(cut), counts }
}
