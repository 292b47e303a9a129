import type { RunContext } from "../../kernels/context.ts"
import { isEmptyRelease, type Manifest } from "../../release/manifest.ts"
import type { Release } from "../../release/read-release.ts"
import type { LogRelation } from "../../release/receipt.ts"
import type { Check, CheckState } from "../../verify/verifier.ts"
import { overall } from "../../verify/verifier.ts"
import { foreignSentence, isForeign } from "./attack-verdict.ts"
import { isPromised } from "./promise-in-words.ts"

/** The possible answers to the question whether the release keeps its promise. */
export const keptStates = ["yes", "no", "in part", "nothing promised"] as const

/** The first verdict of a report: does the release keep its promise? */
export interface PromiseVerdict {
  kept: (typeof keptStates)[number]
  sentence: string
  /** Promises whose check failed or, if none failed, whose check could not be made. */
  open: readonly string[]
  /** True if the release is empty. An empty release keeps its promise trivially. */
  empty: boolean
}

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

const keptBy: Record<CheckState, PromiseVerdict["kept"]> = {
  passed: "yes",
  failed: "no",
  "not checked": "in part",
  "not promised": "nothing promised",
}

/** Says what to provide so that the remaining checks can be made. */
function advise(checks: readonly Check[]): string {
  const wanted = { against: "the original log", audit: "the audit folder" }
  const needs = new Set(checks.flatMap(({ state, needs }) => (state === "not checked" && needs ? [wanted[needs]] : [])))
  return needs.size === 0 ? "" : ` To make them, give ${[...needs].join(" and ")}.`
}

/** True if the release has no rows. A draft has no files yet, so its content is read. */
export async function showsNothing(release: Release, context: RunContext): Promise<boolean> {
  if (release.manifest.files.length > 0) return isEmptyRelease(release.manifest)
  if (release.kind === "rows") return (await release.log(context)).rows === 0
  return Object.values(await release.tables(context)).every(({ rows }) => rows === 0)
}

/**
 * One word and a sentence for all checks. "In part": nothing failed, but something could not be checked, or was checked
 * against a different log. If nothing is promised the verdict is "nothing promised", unless a check failed. A seeded
 * release, as studies make, fails its check of randomness; the sentence then also gives the state of the other checks.
 */
export function promiseVerdict(
  manifest: Manifest,
  checks: readonly Check[],
  { relation, isEmpty: empty = false }: { relation?: LogRelation | undefined; isEmpty?: boolean } = {},
): PromiseVerdict {
  const state = overall(checks)
  const isSeeded = manifest.seeded && checks.some(({ name }) => name === "randomness")
  const others = overall(checks.filter(({ name }) => name !== "randomness"))
  const parts = [
    isForeign(relation) ? foreignSentence : "",
    isPromised(manifest) ? "" : "This release promises nothing.",
    isSeeded
      ? `Made with a seed, for a study: do not publish this release. ${besideSeed[others]}${advise(checks)}`
      : verdicts[state] + advise(checks),
    empty ? "The release is empty: it shows nothing." : "",
  ]
  const sentence = parts.filter((part) => part !== "").join(" ")
  const kept = isPromised(manifest) || state === "failed" ? keptBy[state] : "nothing promised"
  return { kept: kept === "yes" && isForeign(relation) ? "in part" : kept, sentence, open: openOf(checks), empty }
}

function openOf(checks: readonly Check[]): string[] {
  const state = overall(checks)
  if (state !== "failed" && state !== "not checked") return []
  return checks.filter((check) => check.state === state).map(({ promise }) => `${state}: ${promise}`)
}
