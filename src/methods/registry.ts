import { affinity } from "./affinity/affinity.ts"
import { counts } from "./counts/counts.ts"
import { equality } from "./equality/equality.ts"
import { groups } from "./groups/groups.ts"
import type { Method } from "./method.ts"
import { swap } from "./swap/swap.ts"
import { wordnet } from "./wordnet/wordnet.ts"

/** Every method, by name. */
export const methods: readonly Method[] = [equality, affinity, wordnet, groups, swap, counts]

/** Names of the methods that release tables; all others release rows. */
export type TablesMethod = "counts"
