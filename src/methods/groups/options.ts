import { type Static, Type } from "#typebox"

/** What the members of a group get. */
export const groupModes = ["identical", "exact", "paper", "totals"] as const
/** One of the modes. */
export type GroupMode = (typeof groupModes)[number]

/** How users are grouped and what a group shows. */
export const groupsOptions = Type.Object({
  k: Type.Integer({ default: 10, minimum: 1, maximum: 1_000_000_000, description: "users of a group, at least" }),
  delta: Type.Number({
    default: 0.5,
    minimum: 0,
    maximum: 1,
    description: "largest Jaccard distance between the clicked urls of two queries of one cluster",
  }),
  mode: Type.Enum([...groupModes], {
    default: "identical",
    description:
      "what the members of a group get: the same queries and urls, the same proportions of clusters and urls, nearly so by the paper's rounding, or nearly so with as many objects as each member had",
  }),
  maxDistance: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1,
    description:
      "largest distance between a member and the group's centroid before anything is changed; users who find no group within it are left out (default 1: nobody is)",
  }),
  minCluster: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "queries of a cluster, at least; smaller ones are left out",
  }),
  minQueryUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: "users that a query text needs to be shown (default: k; the paper: 1)",
    }),
  ),
})

export type GroupsOptions = Static<typeof groupsOptions>

/**
 * A name joins all rows of a user here, and that is what the guarantee is about. A url of the release was given to all members
 * of a group, so the threshold is on who clicked it in the log. Every time is an hour.
 */
export const groupsColumns = Type.Object({
  users: Type.Enum(["pseudonym", "keep"], {
    default: "pseudonym",
    description: "user column: a random name per user, or the log's own ids (not safe to publish)",
  }),
  urls: Type.Enum(["threshold", "keep"], {
    default: "threshold",
    description: "clicked urls: rows of those that at least k users of the log clicked, or of all",
  }),
  time: Type.Enum(["hour", "day", "drop"], { default: "hour", description: "times cut to the hour or day, or none" }),
})
