import type { Generaliser } from "./generalise.ts"
import { greedyDp } from "./greedy-dp.ts"
import { greedyIl } from "./greedy-il.ts"
import { optimal } from "./optimal.ts"
import { generaliseTree } from "./tree/generalise-tree.ts"

/**
 * Names of the generalisers: GreedyIL, GreedyDP, exhaustive search over all subtrees, and information weighed against
 * risk.
 */
export const algorithms = ["il", "dp", "optimal", "tree"] as const
/** One of `algorithms`. */
export type Algorithm = (typeof algorithms)[number]

/** The generalisers by name. */
export const generalisers: Record<Algorithm, Generaliser> = {
  il: (seed, limits) => greedyIl(seed, limits),
  dp: greedyDp,
  optimal,
  tree: (seed, limits) => generaliseTree(seed, limits),
}
