import { type ContextOptions, createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { ProbeOutcome } from "#dist/probes/run-probes.js"
import { anonymize } from "#dist/release/anonymize.js"
import type { MethodChoice } from "#dist/release/method-options.js"
import { openDraftAudit } from "#dist/release/read-audit.js"
import { openDraft } from "#dist/release/read-release.js"

/** A log and a draft release of it in memory, which is what a probe looks at. */
export async function draftOf(path: string, choice: MethodChoice, context: ContextOptions = {}) {
  const run = createContext({ workers: 1, seed: 1, ...context })
  const { log } = await readLog(path, {}, run)
  const draft = await anonymize(log, choice, run)
  return { subject: { log, release: openDraft(draft) }, audit: openDraftAudit(draft), context: run }
}

/** The values of all scores by name. */
export function valuesOf(outcomes: readonly ProbeOutcome[]): Record<string, number> {
  return Object.fromEntries(
    outcomes.flatMap((outcome) => ("scores" in outcome ? outcome.scores.map(({ name, value }) => [name, value]) : [])),
  )
}

/** The reasons why probes were skipped. */
export function reasonsOf(outcomes: readonly ProbeOutcome[]): string[] {
  return outcomes.flatMap((outcome) => ("skipped" in outcome ? [outcome.skipped] : []))
}
