import { pathOf, type TopicTree } from "./topic-tree.ts"

/**
 * What is shown with one query: paths of topics. The root's path ("") is first, and each path comes after its parent's.
 * Supports are not shown: a parent's support minus that of its visible children would reveal a pruned child. Empty:
 * nothing is shown.
 */
export interface Exposure {
  readonly paths: readonly string[]
}

/**
 * Which nodes of a seed profile are kept (1) or pruned (0). The kept nodes form a rooted subtree, or there are none.
 */
export type Kept = Uint8Array

/** The exposure that shows the kept nodes of a tree: their paths. */
export function exposureOf(tree: TopicTree, kept: Kept): Exposure {
  const paths: string[] = []
  for (let node = 0; node < tree.size; node++) if (kept[node] === 1) paths.push(pathOf(tree, node))
  return { paths }
}
