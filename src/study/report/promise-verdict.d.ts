import type { RunContext } from "../../kernels/context.ts"
import { type Manifest } from "../../release/manifest.ts"
import type { Release } from "../../release/read-release.ts"
import type { LogRelation } from "../../release/receipt.ts"
import type { Check } from "../../verify/verifier.ts"
/** The possible answers to the question whether the release keeps its promise. */
export declare const keptStates: readonly ["yes", "no", "in part", "nothing promised"]
/** The first verdict of a report: does the release keep its promise? */
export interface PromiseVerdict {
  kept: (typeof keptStates)[number]
  sentence: string
  /** Promises whose check failed or, if none failed, whose check could not be made. */
  open: readonly string[]
  /** True if the release is empty. An empty release keeps its promise trivially. */
  empty: boolean
}
/** True if the release has no rows. A draft has no files yet, so its content is read. */
export declare function showsNothing(release: Release, context: RunContext): Promise<boolean>
/**
 * One word and a sentence for all checks. "In part": nothing failed, but something could not be checked, or was checked
 * against a different log. If nothing is promised the verdict is "nothing promised", unless a check failed. A seeded
 * release, as studies make, fails its check of randomness; the sentence then also gives the state of the other checks.
 */
export declare function promiseVerdict(
  manifest: Manifest,
  checks: readonly Check[],
  {
    relation,
    isEmpty: empty,
  }?: {
    relation?: LogRelation | undefined
    isEmpty?: boolean
  },
): PromiseVerdict
