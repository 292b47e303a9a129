import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { Type } from "#typebox"
import { writeFileWhole } from "../../files/write-file.ts"
import { createContext, type RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { Project } from "../../project/open-project.ts"
import { type RecordEntry, readRecord } from "../../project/record-chain.ts"
import {
  type Decision,
  decisionNote,
  fingerprintSigned,
  readSignature,
  reportPath,
  signaturePath,
} from "../../project/signature.ts"
import { type Release, readRelease } from "../../release/read-release.ts"
import { type ReportSummary, readSummary } from "../../study/report/report-summary.ts"
import { checkOptions, type GivenOptions } from "../options.ts"
import { openPoints } from "./points.ts"
import { releaseFolder } from "./releases.ts"

export const decisionOptions = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    placeholder: "name",
    description: "record this name as that of the person who decides",
  }),
  reason: Type.String({
    minLength: 1,
    maxLength: 4000,
    placeholder: "text",
    description: "record this reason for the decision",
  }),
  accept: Type.Optional(
    Type.Array(Type.String(), { description: "accept these points, by number or by their words (default none)" }),
  ),
})

/** Who decides, why, and which points they accept. */
export interface DecisionOptions extends GivenOptions<typeof decisionOptions> {}

/** A decision that was recorded. */
export interface Decided {
  release: string
  decision: "signed" | "refused"
  /** The number of its entry in the project's record. */
  number: number
  digest: string
  facts: Decision
}

/**
 * Records that a person signs a release of a project, in the project's record and next to the release. Every point that
 * the promise does not cover must be accepted. Refuses a release that changed since its report, that was judged without
 * its log, or that failed a check. A signature is never replaced. It is a record, and no proof of who signed.
 */
export function signRelease(
  project: Project,
  name: string,
  options: DecisionOptions,
  context: RunContext = createContext(),
): Promise<Decided> {
  return project.exclusive(() => sign(project, name, options, context))
}

async function sign(project: Project, name: string, options: DecisionOptions, context: RunContext): Promise<Decided> {
  const folder = releaseFolder(project, name)
  const given = checkDecision(options)
  if ((await readSignature(folder)) !== "none") throw alreadySigned(name)
  const { release, summary, prints } = await openJudged(folder)
  await refuseChanged(folder, release)
  refuseUnfit(folder, summary)
  const points = await openPoints(project, name, summary)
  const accepted = acceptedOf(points, options.accept ?? [])
  const missing = points.filter((point) => !accepted.includes(point))
  if (missing.length > 0) throw notAccepted(missing.length, points.length)
  const facts = factsOf({ name, release, summary, prints, accepted }, given, context)
  const entry = await project.record({ kind: "signed", facts })
  await writeSignature(folder, entry)
  return { release: name, decision: "signed", number: entry.number, digest: entry.digest, facts }
}

/** Records that a person refuses to publish a release, and why. It can still be signed later; the record keeps both. */
export function refuseRelease(
  project: Project,
  name: string,
  options: DecisionOptions,
  context: RunContext = createContext(),
): Promise<Decided> {
  return project.exclusive(() => refuse(project, name, options, context))
}

async function refuse(project: Project, name: string, options: DecisionOptions, context: RunContext): Promise<Decided> {
  const folder = releaseFolder(project, name)
  const given = checkDecision(options)
  if ((await readSignature(folder)) !== "none") throw alreadySigned(name)
  const { release, summary, prints } = await openJudged(folder)
  const facts = factsOf({ name, release, summary, prints, accepted: [] }, given, context)
  const entry = await project.record({ kind: "refused", facts })
  return { release: name, decision: "refused", number: entry.number, digest: entry.digest, facts }
}

/**
 * Writes signatures that are in the record but not next to their release: a process may have ended in between. For a
 * project that was just opened.
 */
export async function restoreSignatures(project: Project): Promise<void> {
  const { entries } = await readRecord(project.paths.record)
  for (const entry of entries) {
    if (entry.kind !== "signed") continue
    const folder = releaseFolder(project, String(entry.facts.release))
    const release = await readRelease(folder).catch(() => undefined)
    if (release?.manifest.id !== entry.facts.id || (await readSignature(folder)) !== "none") continue
    await writeSignature(folder, entry)
  }
}

/** Writes the signature of an entry next to its release. Never replaces one. */
async function writeSignature(folder: string, entry: RecordEntry): Promise<void> {
  await writeFileWhole(signaturePath(folder), `${JSON.stringify(entry, null, 2)}\n`, { mode: 0o600, replace: false })
}

function checkDecision(options: DecisionOptions): { name: string; reason: string } {
  const { name = "", reason = "" } = checkOptions("signRelease", decisionOptions, options)
  for (const [key, value] of Object.entries({ name, reason })) {
    if (value.trim() === "") throw new QueryveilError("usage", `Give a ${key}.`, { flag: `--${key}` })
  }
  return { name: name.trim(), reason: reason.trim() }
}

async function openJudged(folder: string) {
  const release = await readRelease(folder)
  const page = await readFile(reportPath(folder)).catch(() => undefined)
  const summary = page === undefined ? undefined : readSummary(page.toString("utf8"))
  const report = page === undefined ? "" : createHash("sha256").update(page).digest("hex")
  const { manifest, receipt } = await fingerprintSigned(folder)
  if (summary === undefined) throw notJudged(folder, "has no report")
  if (manifest === undefined || receipt === undefined) throw notJudged(folder, "has no receipt")
  if (summary.release !== release.manifest.id || summary.manifest !== manifest)
    throw notJudged(folder, "is not the release that its report is about")
  return { release, summary, prints: { manifest, receipt, report } }
}

/** The report is about the files that the manifest names. They must still be those. */
async function refuseChanged(folder: string, release: Release): Promise<void> {
  for (const { path, sha256 } of release.manifest.files) {
    if ((await release.fingerprint(path)) !== sha256)
      throw notJudged(folder, `has another ${path} than its manifest names`)
  }
}

function refuseUnfit(folder: string, { seeded, original, promise }: ReportSummary): void {
  if (seeded) throw notJudged(folder, "was drawn from a seed, and is a draft", "Draw the release for real")
  if (original !== "same") throw notJudged(folder, "was not judged against the log that it was made from")
  if (promise.kept === "no") throw notJudged(folder, "failed a check of its promise", "Make another release")
}

/** Points that are named by their number, from 1, or by their words. `all` is every point. */
function acceptedOf(points: readonly string[], accept: readonly string[]): string[] {
  if (accept.includes("all")) return [...points]
  return points.filter((point, i) => accept.includes(point) || accept.includes(String(i + 1)))
}

interface Judged {
  name: string
  release: Release
  summary: ReportSummary
  prints: Pick<Decision, "manifest" | "receipt" | "report">
  accepted: string[]
}

function factsOf(
  { name: folder, release, summary, prints, accepted }: Judged,
  { name, reason }: { name: string; reason: string },
  context: RunContext,
): Decision {
  return {
    release: basename(folder),
    id: release.manifest.id,
    ...prints,
    promise: summary.promise.kept,
    attacks: summary.attacks.state,
    accepted,
    name,
    date: new Date(context.now()).toISOString().slice(0, 10),
    reason,
    note: decisionNote,
  }
}

const alreadySigned = (name: string) =>
  new QueryveilError("output-exists", `${name}: is signed already. A signature is never replaced.`)

const notJudged = (folder: string, what: string, advice = "Make its report (queryveil report) and look at it") =>
  new QueryveilError("not-signed", `${folder}: ${what}, so that it cannot be signed. ${advice}.`, { file: folder })

const notAccepted = (missing: number, all: number) =>
  new QueryveilError(
    "not-signed",
    `${missing} of ${all} points are not accepted. Accept each point, or refuse the release.`,
    { flag: "--accept" },
  )
