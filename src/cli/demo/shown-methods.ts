import type { Parameters } from "../../release/anonymize.ts"
import { flagWords, shellCommand } from "../shell-words.ts"

/** A method as the demo shows it: its parameters, and what it does in a few words. */
export interface ShownMethod {
  method: string
  parameters: Parameters
  idea: string
}

/** Every method that shows searches or counts once, with parameters that suit a log of this size. The first stands beside the raw log. */
export const shownMethods: readonly ShownMethod[] = [
  { method: "equality", parameters: { k: 10 }, idea: "only queries that at least 10 users issued" },
  { method: "affinity", parameters: { k: 10 }, idea: "and rare refinements of common queries" },
  { method: "wordnet", parameters: { k: 10 }, idea: "concepts in the place of queries" },
  { method: "groups", parameters: { k: 10 }, idea: "users in groups of 10 that look alike" },
  { method: "swap", parameters: { k: 10 }, idea: "users change places within topics" },
  {
    method: "counts",
    parameters: { epsilon: "8", delta: "1e-6", split: "1,0,0", maxQueries: 5 },
    idea: "noisy counts of queries, no rows at all",
  },
]

/** The log as it is, its user ids replaced by random names: what was published in 2006. */
export const rawLog = { method: "equality", k: 1, users: "pseudonym", urls: "keep", time: "exact", scrub: "none" }

/** The command that makes such a release. */
export function commandOf({ method, parameters }: ShownMethod, folder: string): string {
  return shellCommand(["queryveil", "anonymize", method, "log.tsv", ...flagWords(parameters), "-o", folder])
}
