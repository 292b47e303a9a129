import { type Static, Type, Value } from "#typebox"
import { QueryveilError } from "../kernels/error.ts"
import { Registry } from "../kernels/registry.ts"
import { dpGuaranteeSchema, dpModel } from "./dp-guarantee.ts"
import { extensionGuarantee } from "./extension-guarantee.ts"
import { groupsGuaranteeSchema, groupsModel } from "./groups-guarantee.ts"
import { profilesGuaranteeSchema, profilesModel } from "./profiles-guarantee.ts"
import {
  affinityGuaranteeSchema,
  affinityModel,
  equalityGuaranteeSchema,
  equalityModel,
  generalisationGuaranteeSchema,
  generalisationModel,
} from "./query-guarantees.ts"
import { swapGuarantee, swapModel } from "./swap-guarantee.ts"
import type { GuaranteeModel, GuaranteeTraits } from "./traits.ts"

/**
 * Schema of the guarantee of released rows: a union by `model`. Each guarantee names its unit, its numbers, and what it
 * does not cover.
 */
export const guaranteeSchema = Type.Union([
  equalityGuaranteeSchema,
  affinityGuaranteeSchema,
  generalisationGuaranteeSchema,
  groupsGuaranteeSchema,
  swapGuarantee,
  extensionGuarantee,
])

/** The guarantee of released rows, a union by `model`: its unit, its numbers, and what it does not protect from. */
export type Guarantee = Static<typeof guaranteeSchema>

/** Schema of the guarantee of released tables: a union by `model`. */
export const tablesGuaranteeSchema = Type.Union([dpGuaranteeSchema, profilesGuaranteeSchema, extensionGuarantee])

/** The guarantee of released tables: differential privacy, or profiles that users share. */
export type TablesGuarantee = Static<typeof tablesGuaranteeSchema>

const builtIn: readonly GuaranteeModel[] = [
  equalityModel,
  affinityModel,
  generalisationModel,
  groupsModel,
  swapModel,
  dpModel,
  profilesModel,
]

const registry = new Registry<GuaranteeModel>(
  "guarantee",
  builtIn.map(({ name }) => name),
)
const models = registry.complete(builtIn)

/** Adds a guarantee model. */
export const addGuaranteeModel = (model: GuaranteeModel) => registry.add(model)

/** The guarantee model of this name, or undefined if it is unknown. */
export const findGuaranteeModel = (name: string) => models.find((model) => model.name === name)

/** Says what is wrong with a guarantee, for people. Returns undefined if it fits the schema of a known model. */
export function guaranteeProblem(
  guarantee: Guarantee | TablesGuarantee,
  releases: "rows" | "tables",
): string | undefined {
  const model = findGuaranteeModel(guarantee.model)
  if (model === undefined) return `${guarantee.model} is not known; load the extension that made the release`
  if (model.releases !== releases) return `${guarantee.model} is not about ${releases}`
  const [first] = Value.Errors(model.schema, guarantee)
  return first === undefined ? undefined : `${first.instancePath} ${first.message}`
}

/** What a guarantee means for readers of the release. */
export function traitsOf(guarantee: Guarantee | TablesGuarantee): GuaranteeTraits {
  const model = findGuaranteeModel(guarantee.model)
  if (model === undefined)
    throw new QueryveilError("release-broken", `The guarantee ${guarantee.model} is not known. Load its extension.`)
  return model.traits(guarantee)
}
