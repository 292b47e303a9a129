import { type Static, Type, Value } from "#typebox"
import { nameLifetimes } from "../methods/name-lifetime.ts"

/** What a row-level release shows of each column. The same for every row-level method. */
export const columnPolicy = Type.Object({
  users: Type.Enum(["session", "day", "pseudonym", "drop", "keep"], {
    default: "session",
    description: [
      "name users at random per session (30 idle minutes), per UTC day or for ever; drop names;",
      "or keep the log's ids (not safe to publish)",
    ].join(" "),
  }),
  urls: Type.Enum(["threshold", "keep", "drop"], {
    default: "threshold",
    description: "show clicked urls that at least k users of the release clicked, all, or none",
  }),
  time: Type.Enum(["hour", "day", "exact", "drop"], {
    default: "hour",
    description: "cut times to the hour or day, keep them exact, or drop them",
  }),
})

/** All policies of all methods. A method that swaps users in cells may also give each user a name per cell. */
const anyPolicy = Type.Object({
  ...columnPolicy.properties,
  users: Type.Enum([...nameLifetimes]),
  category: Type.Boolean(),
})

/** What is shown of users, urls and times. */
export type ColumnPolicy = Omit<Static<typeof columnPolicy>, "users"> & {
  users: Static<typeof columnPolicy>["users"] | "cell"
  /** True if the topic of a search is shown, for methods that have topics. */
  category: boolean
}

/**
 * The policy in the parameters of a release; undefined if it is unknown. `own` times are exact: methods that change the
 * times of records offer them.
 */
export function policyOf(parameters: Record<string, unknown>): ColumnPolicy | undefined {
  const { users, urls, time, category = false } = parameters
  const policy = { users, urls, time: time === "own" ? "exact" : time, category }
  return Value.Check(anyPolicy, policy) ? policy : undefined
}

/** Released columns have the names of the AOL log, plus the one of `classify -o`, in every file format. */
export const releaseColumns = {
  user: "AnonID",
  query: "Query",
  time: "QueryTime",
  rank: "ItemRank",
  url: "ClickURL",
  category: "Category",
} as const

export type ReleaseColumn = keyof typeof releaseColumns

export function shownColumns(policy: ColumnPolicy): ReleaseColumn[] {
  const shown: ReleaseColumn[] = []
  if (policy.users !== "drop") shown.push("user")
  shown.push("query")
  if (policy.time !== "drop") shown.push("time")
  if (policy.urls !== "drop") shown.push("rank", "url")
  if (policy.category) shown.push("category")
  return shown
}
