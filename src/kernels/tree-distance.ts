/** Counts at some nodes of a tree. A node may occur more than once. */
export interface TreeCounts {
  nodes: ArrayLike<number>
  counts: ArrayLike<number>
}

/**
 * Earth mover's distance between two distributions on a tree whose edges have length one. Both are scaled to a mass of
 * one. So the distance is the mean number of edges that mass must move to turn one distribution into the other. On a
 * tree the cheapest way is along the edges: the distance is the sum, over all edges, of the absolute difference of the
 * masses below. Exact; a metric. NaN if one of the two has no mass.
 *
 * Parents must have smaller numbers than their children, as in preorder. The function keeps a table of the tree's size,
 * but touches only the paths from the given nodes to the root.
 */
export function treeDistance(parent: Int32Array): (a: TreeCounts, b: TreeCounts) => number {
  const excess = new Float64Array(parent.length) // mass of a minus mass of b below an edge
  const onPath = new Uint8Array(parent.length)
  const touched: number[] = []
  const add = ({ nodes, counts }: TreeCounts, sign: number) => {
    let mass = 0
    for (let i = 0; i < nodes.length; i++) mass += counts[i]
    for (let i = 0; i < nodes.length; i++) {
      excess[nodes[i]] += (sign * counts[i]) / mass
      for (let node = nodes[i]; node >= 0 && onPath[node] === 0; node = parent[node]) {
        onPath[node] = 1
        touched.push(node)
      }
    }
    return mass
  }
  return (a, b) => {
    const empty = add(a, 1) === 0 || add(b, -1) === 0
    let distance = 0
    for (const node of touched.sort((x, y) => y - x)) {
      onPath[node] = 0
      if (parent[node] >= 0) {
        distance += Math.abs(excess[node])
        excess[parent[node]] += excess[node]
      }
      excess[node] = 0
    }
    touched.length = 0
    return empty ? Number.NaN : distance
  }
}

/**
 * The loss if each item takes the place of any item, possibly itself, of the same category at depth ℓ, for ℓ = 0 to the
 * deepest. The loss is the mean number of edges between an item and the one whose place it takes. Items above depth ℓ
 * change places only at their own node. `counts[v]` items are at node v; `end` and `depth` are as in a taxonomy in
 * preorder.
 *
 * If a node has M items below it, and m_e of them are below edge e of its subtree, then e separates a random pair with
 * probability 2·m_e·(M − m_e) / M².
 */
export function meanSwapDistances(
  { parent, end, depth }: { parent: Int32Array; end: Int32Array; depth: Uint8Array },
  counts: Float64Array,
): number[] {
  const below = counts.slice()
  for (let node = below.length - 1; node > 0; node--) below[parent[node]] += below[node]
  const deepest = depth.reduce((most, level) => Math.max(most, level), 0)
  return Array.from({ length: deepest + 1 }, (_, level) => {
    let sum = 0
    for (let top = 0; top < below.length; top++) {
      if (depth[top] !== level || below[top] === 0) continue
      for (let node = top + 1; node < end[top]; node++)
        sum += (2 * below[node] * (below[top] - below[node])) / below[top]
    }
    return below[0] === 0 ? Number.NaN : sum / below[0]
  })
}
