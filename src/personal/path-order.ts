import type { TopicTree } from "./topic-tree.ts"

const slash = 47

/**
 * True if the path of node a comes before that of node b in byte order. That is the order of the nodes, except where a
 * name is a prefix of its sibling's: `ice rink` comes before `ice/hockey`, although `ice/hockey` comes first in the
 * tree.
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

/** The byte that follows the name of a node in a sibling's name, if that begins with the node's name; otherwise 255. */
function byteBehind({ taxonomy, topic }: TopicTree, node: number, sibling: number): number {
  const { nameArena, nameOffsets } = taxonomy.columns
  const [from, other] = [nameOffsets[topic[node]], nameOffsets[topic[sibling]]]
  const length = nameOffsets[topic[node] + 1] - from
  for (let i = 0; i < length; i++) if (nameArena[from + i] !== nameArena[other + i]) return 255
  return nameArena[other + length]
}
