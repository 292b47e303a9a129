import { type Static, Type, Value } from "#typebox"
import { nameLifetimes } from "../methods/name-lifetime.ts"

/** What of each column a row-level release shows. The same for every row-level method. */
export const columnPolicy = Type.Object({
  users: Type.Enum(["session", "day", "pseudonym", "drop", "keep"], {
    default: "session",
    description:
      "name users at random per session (30 idle minutes), per UTC day or for ever; drop names; or keep the log's ids (not safe to publish)",
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

/** What some method may show: a method that swaps users in cells may also give each user a name per cell. */
const anyPolicy = Type.Object({
  ...columnPolicy.properties,
  users: Type.Enum([...nameLifetimes]),
  category: Type.Boolean(),
})

/** What of users, urls and times is shown. */
export type ColumnPolicy = Omit<Static<typeof columnPolicy>, "users"> & {
  users: Static<typeof columnPolicy>["users"] | "cell"
  /** Whether the topic of a search is shown, by methods that have one. */
  category: boolean
}

/**
 * The policy in a release's parameters; undefined where it is not a known one. `own` times are exact: methods that give
 * records another time offer them.
 */
export function policyOf(parameters: Record<string, unknown>): ColumnPolicy | undefined {
  const { users, urls, time, category = false } = parameters
  const policy = { users, urls, time: time === "own" ? "exact" : time, category }
  return Value.Check(anyPolicy, policy) ? policy : undefined
}

/** Released columns carry the names of the AOL log, and that of `classify -o`, whatever the file format. */
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
