import { affinity } from "./affinity/affinity.ts"
import { counts } from "./counts/counts.ts"
import type { DpGuarantee } from "./dp-guarantee.ts"
import { equality } from "./equality/equality.ts"
import { groups } from "./groups/groups.ts"
import type { Method } from "./method.ts"
import { type BuiltInMethod, methodRegistry } from "./method-registry.ts"
import { profiles } from "./profiles/profiles.ts"
import type { ProfilesGuarantee } from "./profiles-guarantee.ts"
import { swap } from "./swap/swap.ts"
import { wordnet } from "./wordnet/wordnet.ts"

const byName = { equality, affinity, wordnet, groups, swap, counts, profiles } satisfies Record<BuiltInMethod, Method>

/** Every method, including those of extensions. The list grows when one is registered. */
export const methods: readonly Method[] = methodRegistry.complete(Object.values(byName))

/** The built-in methods that release tables, and their guarantees. The other built-in methods release rows. */
export interface TablesGuarantees {
  counts: DpGuarantee
  profiles: ProfilesGuarantee
}
