import type { Manifest } from "../../release/manifest.ts"
import type { Check, CheckState } from "../../verify/verifier.ts"
import { overall } from "../../verify/verifier.ts"
import { isPromised } from "./promise-in-words.ts"

const verdicts: Record<CheckState, string> = {
  passed: "Every check passed.",
  failed: "A check failed: do not publish this release.",
  "not checked": "Nothing failed, but some checks could not be made.",
  "not promised": "Nothing was promised that could be checked.",
}

const besideSeed: Record<CheckState, string> = {
  passed: "All other checks passed.",
  failed: "Another check failed, too.",
  "not checked": "Nothing else failed, but some checks could not be made.",
  "not promised": "Nothing else was promised.",
}

/** What would let the rest be checked. */
function advise(checks: readonly Check[]): string {
  const wanted = { against: "the original log", audit: "the audit folder" }
  const needs = new Set(checks.flatMap(({ state, needs }) => (state === "not checked" && needs ? [wanted[needs]] : [])))
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
    return {
      state: state === "failed" ? state : "not promised",
      sentence: `This release promises nothing. ${sentence}`,
    }
  }
  const others = overall(checks.filter(({ name }) => name !== "randomness"))
  const sentence = `Made with a seed, for a study: do not publish this release. ${besideSeed[others]}${advise(checks)}`
  return { state: others === "failed" ? "failed" : "not checked", sentence }
}
