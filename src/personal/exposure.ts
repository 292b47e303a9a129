import { pathOf, type TopicTree } from "./topic-tree.ts"

/**
 * What is shown with one query: paths of topics, the root's ("") first, each behind its parent's. No supports: those of a
 * parent less those of its visible children would tell of a pruned child. Empty: nothing is shown.
 */
export interface Exposure {
  readonly paths: readonly string[]
}

/** Which nodes of a seed profile are kept (1) or pruned (0): a rooted subtree, or nothing at all. */
export type Kept = Uint8Array

/** What is shown where these nodes of a tree are kept: their paths. */
export function exposureOf(tree: TopicTree, kept: Kept): Exposure {
  const paths: string[] = []
  for (let node = 0; node < tree.size; node++) if (kept[node] === 1) paths.push(pathOf(tree, node))
  return { paths }
}
