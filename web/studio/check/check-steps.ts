import type { Job } from "../answers.ts"
import { isActive } from "../job-words.ts"

/** A step of the check, and how far it is. */
export interface CheckStep {
  name: string
  does: string
  state: "done" | "running" | "waiting" | "stopped"
}

const steps = [
  { name: "Draw", does: "makes the release with fresh randomness" },
  { name: "Verify", does: "counts again whether the promise is kept" },
  { name: "Attack", does: "tries to find people again" },
  { name: "Measure", does: "says what is left of the log" },
] as const

type Seen = Job | undefined

/**
 * The steps of the check of a release that was not judged yet, from the jobs that do them. The progress of the report
 * says at which of its three steps it is.
 */
export function checkSteps({ draw, report, isDrawn }: { draw: Seen; report: Seen; isDrawn: boolean }): CheckStep[] {
  const at = isActive(draw) ? 0 : isActive(report) ? reportStep(report) : isDrawn ? 1 : 0
  const job = at === 0 ? draw : report
  const state = isActive(job) ? "running" : job === undefined || job.state === "done" ? "waiting" : "stopped"
  return steps.map((step, i) => ({ ...step, state: i < at ? "done" : i === at ? state : "waiting" }))
}

/** `step 2 of 3: attacking, …` is the third step of the check. Before it says so, the log is read to verify. */
function reportStep(report: Seen): number {
  const [, number = "1"] = /^step (\d) of 3\b/.exec(report?.progress?.says ?? "") ?? []
  return Number(number)
}
