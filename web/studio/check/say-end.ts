import type { Job } from "../answers.ts"
import { isActive } from "../job-words.ts"

/** Errors of a draw whose message is about flags of the command line, in words of the page. */
const drawErrors: Record<string, { why: string; advice: string }> = {
  "risk-high": {
    why: "an attack on it found more than you accept",
    advice: "Choose a safer method on the screen Explore, or accept more risk on the screen Purpose.",
  },
  "budget-spent": {
    why: "not enough of the privacy budget is left",
    advice: "Choose a release that costs less on the screen Explore. What was spent is in the register.",
  },
}

/** How the newer of the two jobs ended, if it did not succeed: what happened, and what to do. */
export function sayEnd(draw: Job | undefined, report: Job | undefined): string | undefined {
  const last = report === undefined || (draw !== undefined && draw.created > report.created) ? draw : report
  if (last === undefined || last.state === "done" || isActive(last)) return undefined
  return last.kind === "release" ? sayDraw(last) : sayReport(last)
}

function sayDraw({ state, error }: Job): string {
  if (state !== "failed") {
    const how = state === "cancelled" ? "cancelled" : "interrupted"
    return `The draw was ${how}, and there is no release. If it has a cost, that may be paid: see the register.`
  }
  const known = error === undefined ? undefined : drawErrors[error.code]
  if (known === undefined) return `The draw failed. ${error?.message ?? ""}`
  return `There is no release: ${known.why}. ${firstSentence(error?.message ?? "")} ${known.advice}`
}

function sayReport({ state, error }: Job): string {
  if (state === "failed") return `The check failed. ${error?.message ?? ""}`
  const how = state === "cancelled" ? "cancelled" : "interrupted"
  return `The check was ${how}. The release is as it was. Check it again.`
}

/** The numbers of a message. What follows is about flags. */
const firstSentence = (message: string) => /^.*?\.(?= [A-Z]|$)/.exec(message)?.[0] ?? message
