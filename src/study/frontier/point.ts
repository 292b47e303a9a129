import { chmod, readdir } from "node:fs/promises"
import { join } from "node:path"
import { writeFileWhole } from "../../files/write-file.ts"
import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { Intake } from "../../log/intake.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { type ProbeOutcome, scoresOf } from "../../probes/run-probes.ts"
import { type Draft, makeDraft } from "../../release/anonymize.ts"
import { openDraftAudit } from "../../release/read-audit.ts"
import { openDraft, type Release, readRelease } from "../../release/read-release.ts"
import { writeRelease } from "../../release/write-release.ts"
import { composeReport } from "../report/compose-report.ts"
import { reportPage } from "../report/report-page.ts"
import type { Point, PointOutput, PointPlace, StudySubject } from "../study.ts"
import { attackNames, attackValues, uses } from "./scores.ts"

/** Values of a point that are not parameters of its method. */
const ownValues = ["method", "targets", "raw", "discard"] as const

/** The parameters that the method of a point receives. */
export function parametersOf(point: Point): Point {
  return Object.fromEntries(Object.entries(point).filter(([key]) => !ownValues.some((own) => own === key)))
}

/**
 * Makes a release with the values of the point, then verifies, attacks and measures it as a reader would see it, and
 * writes a report next to it. The audit stays in memory; so does the release if it is not to be kept. The release is
 * drawn from a seed, so it is not for publication.
 */
export async function computeFrontierPoint(
  point: Point,
  subject: StudySubject,
  context: RunContext,
): Promise<PointOutput> {
  const { log, truth, intake, place } = subject
  if (place === undefined || intake === undefined)
    throw new QueryveilError("internal", "The frontier point has no place for its files.")
  const draft = await tryMethod(point, subject, context)
  if (typeof draft === "string") return { scores: [], refused: draft }
  const isKept = point.discard !== true
  const release = isKept ? await keepRelease(draft, { place, log, intake }, context) : openDraft(draft)
  const looked = { release, log, ...(truth && { truth }), audit: openDraftAudit(draft) }
  const report = `${place.name}.report.html`
  const content = await composeReport(
    { ...looked, intake, relation: "same" },
    {
      folder: place.name,
      seed: context.random.uint32(),
      attacks: { only: attackNames, values: attackValues(Number(point.targets)) },
      measures: { only: Object.values(uses).map(({ probe }) => probe) },
    },
    context,
  )
  await writeFileWhole(join(place.folder, report), reportPage(content), { mode: 0o600 })
  const { checks, attacks, measures } = content
  const outcomes = [...attacks, ...measures]
  return {
    scores: scoresOf(outcomes).map(({ series: _series, ...score }) => score), // only the report needs the curves
    tables: {
      checks: { columns: ["check", "state"], rows: checks.map(({ name, state }) => [name, state]) },
      skipped: { columns: ["probe", "reason"], rows: outcomes.flatMap(reasonOf) },
    },
  }
}

/** The draft, or the reason why the method cannot make one from this log. */
async function tryMethod(point: Point, { log }: StudySubject, context: RunContext): Promise<Draft | string> {
  try {
    return await makeDraft(log, { ...parametersOf(point), method: String(point.method) }, context)
  } catch (error) {
    if (!(error instanceof QueryveilError) || ["interrupted", "internal"].includes(error.code)) throw error
    return error.message
  }
}

/** Writes the release and reads it back. A seeded release is for its maker alone. */
async function keepRelease(
  draft: Draft,
  { place, log, intake }: { place: PointPlace; log: SearchLog; intake: Intake },
  context: RunContext,
): Promise<Release> {
  const folder = join(place.folder, place.name)
  await writeRelease(draft, folder, { input: { log, intake }, force: true }, context)
  await chmod(folder, 0o700)
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o600)
  return readRelease(folder)
}

const reasonOf = (outcome: ProbeOutcome) => ("skipped" in outcome ? [[outcome.probe, outcome.skipped]] : [])
