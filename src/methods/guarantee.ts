import { type Static, Type } from "#typebox"
import { dpGuaranteeSchema } from "./dp-guarantee.ts"
import { groupsGuarantee } from "./groups-guarantee.ts"
import { profilesGuaranteeSchema } from "./profiles-guarantee.ts"
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

/** A promise about released tables, as data: a union by `model`. */
export const tablesGuaranteeSchema = Type.Union([dpGuaranteeSchema, profilesGuaranteeSchema])

/** The promise of released tables as data: differential privacy, or profiles that users share. */
export type TablesGuarantee = Static<typeof tablesGuaranteeSchema>
