import type { MethodChoice } from "../../index.ts"

/** A method as the demo shows it: its options, the same options as flags, and its idea in a few words. */
export interface ShownMethod {
  choice: MethodChoice
  flags: string
  idea: string
}

/**
 * Every method that shows searches or counts, each once, with options that suit a log of this size. The first is shown
 * next to the raw log.
 */
export const shownMethods: readonly ShownMethod[] = [
  { choice: { method: "equality", k: 10 }, flags: "-k 10", idea: "only queries that at least 10 users issued" },
  { choice: { method: "affinity", k: 10 }, flags: "-k 10", idea: "also rare refinements of common queries" },
  { choice: { method: "wordnet", k: 10 }, flags: "-k 10", idea: "concepts instead of queries" },
  { choice: { method: "groups", k: 10 }, flags: "-k 10", idea: "users in groups of 10 that look alike" },
  { choice: { method: "swap", k: 10 }, flags: "-k 10", idea: "users change places within topics" },
  {
    choice: { method: "counts", epsilon: 8, delta: "1e-6", split: "1,0,0", maxQueries: 5 },
    flags: "--epsilon 8 --delta 1e-6 --split 1,0,0 --max-queries 5",
    idea: "noisy counts of queries, no rows at all",
  },
]

/** The log unchanged except that its user ids are replaced by random names: what was published in 2006. */
export const rawLog = {
  method: "equality",
  k: 1,
  users: "pseudonym",
  urls: "keep",
  time: "exact",
  scrub: "none",
} as const satisfies MethodChoice
