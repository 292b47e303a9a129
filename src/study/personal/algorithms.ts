import type { Generaliser } from "../../personal/generalise.ts"
import { greedyDp } from "../../personal/greedy-dp.ts"
import { greedyIl } from "../../personal/greedy-il.ts"
import { generaliseTree } from "../../personal/tree/generalise-tree.ts"

/** The generalisers to compare, by their names on the page. */
export const algorithms: Record<string, Generaliser> = { GreedyDP: greedyDp, GreedyIL: greedyIl, tree: generaliseTree }
