import { type Static, Type, Value } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { swapperOptions } from "../../swapper/options.ts"
import { classifierOption } from "../../taxonomy/classify/open-classifier.ts"
import { taxonomyOption } from "../../taxonomy/open-taxonomy.ts"

const { sensitiveCategories } = swapperOptions.properties

/** Options for how users are grouped by their topics, and what a group shows. */
export const shownProfileOptions = Type.Object({
  k: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 1_000_000,
    description: "require this many users of a profile to have searched for each topic that it shows",
  }),
  groupSize: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 1_000_000_000,
      description:
        "share a profile among at least this many users; more show more topics, fewer are closer to each (default 5 k)",
    }),
  ),
  depth: Type.Integer({
    default: 2,
    minimum: 1,
    maximum: 255,
    description: "show topics down to this level",
  }),
  step: Type.Integer({
    default: 5,
    minimum: 1,
    maximum: 50,
    placeholder: "percent",
    description: "round shares to multiples of this",
  }),
  sensitiveCategories: Type.Optional(
    Type.String({
      ...sensitiveCategories,
      description:
        "read topics that are never shown, one path a line; everything below the parent of each counts for the parent",
    }),
  ),
})

/** Options of the method: those of the groups, and the source of topics. */
export const profilesOptions = Type.Object({
  ...shownProfileOptions.properties,
  ...taxonomyOption.properties,
  ...classifierOption.properties,
})

export type ProfilesOptions = Static<typeof profilesOptions>
export type ShownProfileOptions = Static<typeof shownProfileOptions>

/** Fills in the defaults of missing options and checks every value. */
export function completeShownOptions(given: Partial<ShownProfileOptions>): ShownProfileOptions & { groupSize: number } {
  const complete = Value.Default(shownProfileOptions, { ...given })
  if (!Value.Check(shownProfileOptions, complete)) {
    const [problem] = Value.Errors(shownProfileOptions, complete)
    throw new QueryveilError("option-value", `profiles: ${problem?.instancePath.slice(1)} ${problem?.message}.`)
  }
  checkGroups(complete)
  return settleGroups(complete)
}

const usualGroup = 5

/** Fills in the size of a group, which follows from k if it is not given. */
export function settleGroups<O extends ShownProfileOptions>(options: O): O & { groupSize: number } {
  const { k, groupSize = usualGroup * k } = options
  return { ...options, groupSize }
}

/** Refuses a group size below k: a topic needs k users of its group. */
export function checkGroups({ k, groupSize = k }: Pick<ShownProfileOptions, "k" | "groupSize">): void {
  if (groupSize >= k) return
  throw new QueryveilError("option-value", `--group-size ${groupSize}: expected at least k, which is ${k}.`, {
    flag: "--group-size",
  })
}
