import { join } from "node:path"
import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { readSignature } from "../../../project/signature.ts"
import { findMethod } from "../../../release/anonymize.ts"
import { attackRelease } from "../../probe-release.ts"
import { releaseAny } from "../../release.ts"
import { reportRelease } from "../../report-release.ts"
import { choiceOf, choiceStamp, type ProjectView, readingOf, readProjectLog } from "./project-view.ts"

const folderOf = ({ paths }: ProjectView, name: string) => join(paths.releases, name)
const auditOf = ({ paths }: ProjectView, name: string) => join(paths.audits, name)

/** Draws a release for real. A method that spends a budget is paid from the project's ledger before noise is drawn. */
export async function releaseJob(
  view: ProjectView,
  { name, stamp }: { name: string; stamp: string },
  context: RunContext,
): Promise<object> {
  if ((await choiceStamp(view)) !== stamp)
    throw new QueryveilError(
      "project-changed",
      "The settings were changed after this draw was asked for. Nothing was drawn. Draw again.",
    )
  const { paths, settings } = view
  const choice = await choiceOf(view)
  const method = findMethod(choice.method)
  const costs = "epsilon" in method.options.properties && !("mode" in choice && choice.mode === "paper")
  const { epsilon, delta } = settings.budget ?? {}
  const maxRisk = settings.purpose?.maxRisk
  const places = {
    folder: folderOf(view, name),
    audit: auditOf(view, name),
    ...(costs && { ledger: { file: paths.ledger, budget: epsilon, deltaBudget: delta } }),
    ...(method.releases !== "tables" && maxRisk !== undefined && { maxRisk }),
  }
  const chosen = "chosenOnData" in method.options.properties ? { ...choice, chosenOnData: true } : choice
  const { manifest, isEmpty } = await releaseAny(() => readProjectLog(view, context), chosen, places, context)
  return { id: manifest.id, empty: isEmpty }
}

/** Verifies, attacks and measures a release, and writes its report. */
export async function reportJob(view: ProjectView, { name }: { name: string }, context: RunContext): Promise<object> {
  if ((await readSignature(folderOf(view, name))) !== "none")
    throw new QueryveilError("output-exists", "The release is signed, so that its report is not made again.")
  const { files, reading } = readingOf(view)
  const maxRisk = view.settings.purpose?.maxRisk
  const options = { ...reading, against: files, audit: auditOf(view, name), force: true }
  const given = { ...options, ...(maxRisk !== undefined && { maxRisk }) }
  const { verdicts } = await reportRelease(folderOf(view, name), given, context)
  return { verdicts }
}

/** Attacks two releases together. */
export async function overlapJob(
  view: ProjectView,
  { one, other }: { one: string; other: string },
  context: RunContext,
): Promise<object> {
  const { files, reading } = readingOf(view)
  const places = { audit: auditOf(view, one), other: folderOf(view, other), otherAudit: auditOf(view, other) }
  const options = { ...reading, against: files, ...places, only: ["intersection" as const] }
  const { verdicts, outcomes } = await attackRelease(folderOf(view, one), options, context)
  return { releases: [one, other], verdict: verdicts?.attacks, outcomes }
}
