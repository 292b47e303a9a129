import { type Static, Type } from "#typebox"

/** What the members of a group have in common. */
export const groupModes = ["identical", "exact", "paper", "totals"] as const
/** One of `groupModes`. */
export type GroupMode = (typeof groupModes)[number]

/** How users are grouped and what a group shows. */
export const groupsOptions = Type.Object({
  k: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "put at least this many users into a group",
  }),
  delta: Type.Number({
    default: 0.5,
    minimum: 0,
    maximum: 1,
    description: "allow this Jaccard distance between the clicked urls of two queries of a cluster",
  }),
  mode: Type.Enum([...groupModes], {
    default: "identical",
    description: [
      "give members of a group the same queries and urls (identical),",
      "the same proportions of clusters and urls (exact), nearly so by the paper's rounding (paper),",
      "or nearly so with as many objects as each member had (totals)",
    ].join(" "),
  }),
  maxDistance: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description: [
      "allow this distance between a member and the group's centroid,",
      "and leave out users without such a group; 1 leaves out nobody",
    ].join(" "),
  }),
  minCluster: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "leave out clusters of fewer queries",
  }),
  minQueryUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: "require this many users of a query text; the paper has 1 (default k)",
    }),
  ),
})

export type GroupsOptions = Static<typeof groupsOptions>

/**
 * A name joins all rows of a user, because the guarantee is about all rows of a user. All members of a group get a url
 * of the release, so the threshold counts users who clicked it in the log. Every time is a whole hour.
 */
export const groupsColumns = Type.Object({
  users: Type.Enum(["pseudonym", "keep"], {
    default: "pseudonym",
    description: "name users at random, or keep the log's ids (not safe to publish)",
  }),
  urls: Type.Enum(["threshold", "keep"], {
    default: "threshold",
    description: "show clicked urls that at least k users of the log clicked, or all",
  }),
  time: Type.Enum(["hour", "day", "drop"], {
    default: "hour",
    description: "cut times to the hour or day, or drop them",
  }),
})
