import { type Static, Type, Value } from "#typebox"

/** What of each column a row-level release shows. The same for every row-level method. */
export const columnPolicy = Type.Object({
  users: Type.Enum(["session", "pseudonym", "drop", "keep"], {
    default: "session",
    description:
      "user column: a random name per session of 30 idle minutes, per user, none, or the log's own ids (not safe to publish)",
  }),
  urls: Type.Enum(["threshold", "keep", "drop"], {
    default: "threshold",
    description: "clicked urls: those that at least k users of the release clicked, all, or none",
  }),
  time: Type.Enum(["hour", "day", "exact", "drop"], {
    default: "hour",
    description: "times cut to the hour or day, as they are, or none",
  }),
})

/** What of users, urls and times is shown: `columnPolicy` as a type. */
export type ColumnPolicy = Static<typeof columnPolicy>

/**
 * The policy that a release's parameters state, undefined where they state none that there is. `own` times are exact ones:
 * methods that give records another time offer it.
 */
export function policyOf({ users, urls, time }: Record<string, unknown>): ColumnPolicy | undefined {
  const policy = { users, urls, time: time === "own" ? "exact" : time }
  return Value.Check(columnPolicy, policy) ? policy : undefined
}

/** A session ends when its user is idle for longer than this. */
export const sessionGapSeconds = 30 * 60

/** Released columns carry the names of the AOL log, whatever the file format. */
export const releaseColumns = {
  user: "AnonID",
  query: "Query",
  time: "QueryTime",
  rank: "ItemRank",
  url: "ClickURL",
} as const

export type ReleaseColumn = keyof typeof releaseColumns

export function shownColumns(policy: ColumnPolicy): ReleaseColumn[] {
  const shown: ReleaseColumn[] = []
  if (policy.users !== "drop") shown.push("user")
  shown.push("query")
  if (policy.time !== "drop") shown.push("time")
  if (policy.urls !== "drop") shown.push("rank", "url")
  return shown
}
