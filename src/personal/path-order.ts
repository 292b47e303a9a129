import type { TopicTree } from "./topic-tree.ts"

const slash = 47

/**
 * Whether the path of a node comes before that of another, by their bytes. That is the order of the nodes, except where the
 * name of one is the beginning of its sibling's: `ice rink` comes before `ice/hockey`, which lies before it in the tree.
 */
export function isPathBefore(tree: TopicTree, a: number, b: number): boolean {
  const { parent, depth } = tree
  let [x, y] = [a, b]
  while (depth[x] > depth[y]) x = parent[x]
  while (depth[y] > depth[x]) y = parent[y]
  if (x === y) return depth[a] < depth[b]
  while (parent[x] !== parent[y]) {
    x = parent[x]
    y = parent[y]
  }
  if (x > y) return !isPathBefore(tree, b, a)
  return x === a || slash < byteBehind(tree, x, y)
}

/** The byte of a sibling's name behind the name of a node, if it begins with that; else the last byte there is. */
function byteBehind({ taxonomy, topic }: TopicTree, node: number, sibling: number): number {
  const { nameArena, nameOffsets } = taxonomy.columns
  const [from, other] = [nameOffsets[topic[node]], nameOffsets[topic[sibling]]]
  const length = nameOffsets[topic[node] + 1] - from
  for (let i = 0; i < length; i++) if (nameArena[from + i] !== nameArena[other + i]) return 255
  return nameArena[other + length]
}
