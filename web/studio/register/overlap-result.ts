import type { Job } from "../answers.ts"
import type { ReportSummary } from "../release/release-types.ts"

/** What an attack on two releases together found. */
export interface OverlapResult {
  releases: [string, string]
  /** Undefined if no attack said anything. */
  verdict?: Pick<ReportSummary["attacks"], "state" | "sentence" | "caveats" | "meanings">
  /** Why the attack could not run. */
  skipped?: string
}

/** The result of a job that attacked two releases together; undefined for any other job. */
export function readOverlap(job: Pick<Job, "kind" | "state" | "result"> | undefined): OverlapResult | undefined {
  if (job?.kind !== "overlap" || job.state !== "done") return undefined
  const result = job.result as Partial<Omit<OverlapResult, "skipped">> & { outcomes?: { skipped?: string }[] }
  const [one, other] = result?.releases ?? []
  if (one === undefined || other === undefined) return undefined
  const { verdict } = result
  const skipped = result.outcomes?.find((outcome) => outcome.skipped !== undefined)?.skipped
  return {
    releases: [one, other],
    // Only one attack is about two releases, so that the others did not run says nothing.
    ...(verdict && { verdict: { ...verdict, caveats: verdict.caveats.filter((text) => !/ not run: /.test(text)) } }),
    ...(skipped !== undefined && { skipped }),
  }
}

/** True if a result is about these two releases, in either order. */
export const isAbout = ({ releases }: OverlapResult, pair: readonly string[]): boolean =>
  releases.every((name) => pair.includes(name))
