import { type Static, Type } from "#typebox"
import { groupsGuarantee } from "./groups-guarantee.ts"
import { affinityGuarantee, equalityGuarantee, generalisationGuarantee } from "./query-guarantees.ts"
import { swapGuarantee } from "./swap-guarantee.ts"

/** A promise about released rows, as data: a union by `model`; each names its unit, its numbers, and what it does not cover. */
export const guaranteeSchema = Type.Union([
  equalityGuarantee,
  affinityGuarantee,
  generalisationGuarantee,
  groupsGuarantee,
  swapGuarantee,
])

/** The promise of released rows as data, a union by `model`: its unit, its numbers, and what it does not protect from. */
export type Guarantee = Static<typeof guaranteeSchema>
