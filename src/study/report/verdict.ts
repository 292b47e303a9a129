import type { Manifest } from "../../release/manifest.ts"
import { overall } from "../../verify/registry.ts"
import type { Check } from "../../verify/verifier.ts"
import { isPromised } from "./promise-in-words.ts"

const verdicts = {
  holds: "Every check holds.",
  fails: "A check fails: do not publish this release.",
  unchecked: "Nothing failed, but some checks could not be made.",
}

const besideSeed = {
  holds: "All other checks hold.",
  fails: "Another check fails, too.",
  unchecked: "Nothing else failed, but some checks could not be made.",
}

/** What would let the unchecked be checked. */
function advise(checks: readonly Check[]): string {
  const wanted = { against: "the original log", audit: "the audit folder" }
  const needs = new Set(checks.flatMap(({ state, needs }) => (state === "unchecked" && needs ? [wanted[needs]] : [])))
  return needs.size === 0 ? "" : ` To make them, give ${[...needs].join(" and ")}.`
}

/**
 * One sentence for all checks, and its colour. A release of a study has a seed: what else is true of it is said apart.
 * Where nothing is promised there is nothing to hold, whatever the checks found.
 */
export function verdictOf(manifest: Manifest, checks: readonly Check[]): { state: Check["state"]; sentence: string } {
  const state = overall(checks)
  if (!manifest.seeded || !checks.some(({ name }) => name === "randomness")) {
    const sentence = verdicts[state] + advise(checks)
    if (isPromised(manifest)) return { state, sentence }
    return { state: state === "fails" ? state : "unchecked", sentence: `This release promises nothing. ${sentence}` }
  }
  const others = overall(checks.filter(({ name }) => name !== "randomness"))
  const sentence = `Made with a seed, for a study: do not publish this release. ${besideSeed[others]}${advise(checks)}`
  return { state: others === "fails" ? "fails" : "unchecked", sentence }
}
