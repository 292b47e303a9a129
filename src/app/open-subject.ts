import { refuseInput } from "../files/reserve.ts"
import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import type { Intake } from "../log/intake.ts"
import type { ReadResult } from "../log/parse-sources.ts"
import type { ProbeSubject } from "../probes/probe.ts"
import { fitTruth } from "../release/fit-truth.ts"
import { readLabels } from "../release/labels.ts"
import { openAudit } from "../release/read-audit.ts"
import { type Release, readRelease } from "../release/read-release.ts"
import { type LogRelation, type LogSizes, type ReadReceipt, readReceipt, relateLog } from "../release/receipt.ts"
import { readTruth, type Truth, type TruthFolder } from "../release/truth.ts"
import { describeChanges, rangeOf } from "./index-range.ts"
import { isRead, type LogPlace, openLog, warn } from "./open-log.ts"
import { readRemote } from "./open-remote.ts"
import { type LogOptions, logOptions, pickOptions } from "./options.ts"

/** Paths of a release's original and its side files. */
export interface SubjectPlaces extends LogOptions {
  against?: LogPlace | undefined
  audit?: string | undefined
  truth?: string | undefined
  labels?: string | undefined
  other?: string | undefined
  otherAudit?: string | undefined
  /** Output file for the answer. It must not be a file of the log. */
  output?: string | undefined
  /** The engine that has the original. */
  engine?: string | undefined
}

/** A release with everything its owner has about it. */
export interface OpenSubject extends Omit<ProbeSubject<Release>, "log" | "trec"> {
  /** The receipt next to the release, if it belongs to this release. */
  receipt?: ReadReceipt
  original?: ReadResult
  /** How the original relates to the log of the receipt; undefined if there is nothing to compare. */
  relation?: LogRelation
}

/** Opens a release and its side files, then reads the original. Truth is used only with the original. */
export async function openSubject(folder: string, places: SubjectPlaces, context: RunContext): Promise<OpenSubject> {
  await yieldAndReport(context, { stage: "opening the release", done: 0 })
  const release = await readRelease(folder)
  const planted = places.truth === undefined ? undefined : await readTruth(places.truth)
  const side = {
    ...(places.labels !== undefined && { labels: await readLabels(places.labels) }),
    ...(await auditOf(places.audit)),
    ...(places.other !== undefined && {
      other: { release: await readRelease(places.other), ...(await auditOf(places.otherAudit)) },
    }),
  }
  const beside = await readReceipt(folder)
  const receipt = beside?.release === release.manifest.id ? { receipt: beside } : {}
  if (places.against === undefined) return { release, ...side, ...receipt }
  const original = await openOriginal({ ...places, against: places.against }, receipt.receipt, context)
  if (places.output !== undefined) await refuseInput(places.output, original.intake.files)
  const relation = relateOriginal(receipt.receipt, original, context)
  const compared = { ...receipt, ...(relation && { relation }) }
  return { release, ...side, ...compared, original, ...fitPlanted(planted, original, context) }
}

/** How the original relates to the log of the receipt, if there is one. Warns if it is another log, or was changed. */
export function relateOriginal(
  receipt: ReadReceipt | undefined,
  original: { log: LogSizes; intake: Intake },
  context: RunContext,
): LogRelation | undefined {
  if (receipt === undefined) return undefined
  const relation = relateLog(receipt, original)
  const changes = describeChanges(receipt, original.intake)
  for (const text of changes) warn(context, text)
  if (relation === "other" && changes.length === 0)
    warn(context, "the receipt of the release is about another log: what is found against this one means nothing")
  return relation
}

/** Reads the original from files, or from an engine, unless it was read before. */
function openOriginal(
  places: SubjectPlaces & { against: LogPlace },
  receipt: ReadReceipt | undefined,
  context: RunContext,
): Promise<ReadResult> {
  const { against, engine } = places
  if (isRead(against)) return openLog(against, places, context)
  if (engine === undefined) return openLog(against, { ...rangeOf(receipt, { ...places, against }), ...places }, context)
  return readRemote([against].flat(), { ...pickOptions(logOptions, places), engine }, context)
}

async function auditOf(folder: string | undefined) {
  return folder === undefined ? {} : { audit: await openAudit(folder) }
}

/** The truth about a log, if there is one. Refused if it is about a different log. */
export function fitPlanted(
  planted: TruthFolder | undefined,
  input: ReadResult,
  context: RunContext,
): { truth?: Truth } {
  if (planted === undefined) return {}
  const { truth, warnings } = fitTruth(planted, input)
  for (const text of warnings) warn(context, text)
  return { truth }
}
