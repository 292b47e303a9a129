import { affinityPlan } from "./affinity.ts"
import { countsPlan } from "./counts.ts"
import { equalityPlan } from "./equality.ts"
import type { RowPlan, TablePlan } from "./row-plan.ts"
import { swapPlan } from "./swap.ts"
import { wordnetPlan } from "./wordnet.ts"

/** Methods that release rows, and how they run on a cluster. */
export const rowPlans: Readonly<Record<string, RowPlan>> = {
  equality: equalityPlan,
  wordnet: wordnetPlan,
  affinity: affinityPlan,
  swap: swapPlan,
}

/** Methods that release tables, and how they run on a cluster. */
export const tablePlans: Readonly<Record<string, TablePlan>> = {
  counts: countsPlan,
}
