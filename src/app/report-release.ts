import { relative } from "node:path"
import { type Static, Type } from "#typebox"
import { besidePath } from "../files/reserve.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { type ProbeOutcome, usualSeed } from "../probes/run-probes.ts"
import { composeReport } from "../study/report/compose-report.ts"
import { reportPage } from "../study/report/report-page.ts"
import { verdictOf } from "../study/report/verdict.ts"
import type { Check, CheckState } from "../verify/verifier.ts"
import { overall } from "../verify/verifier.ts"
import { reserveAnswer } from "./answer-files.ts"
import { listWarnings } from "./open-log.ts"
import { openSubject } from "./open-subject.ts"
import {
  checkOptions,
  type GivenOptions,
  labelsOption,
  otherOptions,
  outputOption,
  pickOptions,
  releaseOptions,
  seedOption,
  truthOption,
} from "./options.ts"
import { commandLine } from "./shell-words.ts"

export const reportOptions = Type.Object({
  ...releaseOptions.properties,
  truth: truthOption,
  labels: labelsOption,
  seed: seedOption,
  ...otherOptions,
  output: outputOption("file", "write the page to this file (default DIR.report.html, beside the release)"),
})

/** What no flag says. */
const allOptions = Type.Object({
  ...reportOptions.properties,
  seenFrom: Type.Optional(Type.String()),
  madeBy: Type.Optional(Type.String()),
})

/** The original and its side files, and the page. */
export interface ReportReleaseOptions extends Omit<GivenOptions<typeof reportOptions>, "against"> {
  /** The original log: files, globs, or `-`. Without it nothing is attacked or measured. */
  against?: string | readonly string[] | undefined
  /** A folder: paths on the page are relative to it, and its commands are to be run there. */
  seenFrom?: string | undefined
  /** The command that made the release, for the page. */
  madeBy?: string | undefined
}

/** A page about a release, and what it says. */
export interface Reported {
  folder: string
  page: string
  state: CheckState
  /** The checks in one sentence. */
  verdict: string
  seed: number
  checks: readonly Check[]
  /** Empty without the original. */
  attacks: readonly ProbeOutcome[]
  measures: readonly ProbeOutcome[]
  warnings: string[]
}

/** Verifies, attacks and measures the release in a folder and writes it down on a page, as `queryveil report` does. */
export async function reportRelease(
  folder: string,
  options: ReportReleaseOptions = {},
  given: RunContext = createContext(),
): Promise<Reported> {
  const { seenFrom, madeBy, ...checked } = checkOptions("reportRelease", allOptions, options)
  const { context, warnings } = listWarnings(given)
  const { output: page = besidePath(folder, ".report.html"), seed = usualSeed, ...places } = checked
  await reserveAnswer(page, folder)
  const { original, ...subject } = await openSubject(folder, { ...places, output: page }, context)
  const seen = (path: string) => (seenFrom === undefined ? path : relative(seenFrom, path))
  const commands = [...(madeBy === undefined ? [] : [madeBy]), ...linesToRepeat(folder, { ...places, seed }, seen)]
  const about = { folder: seen(folder), seed, commands }
  const content = await composeReport({ ...subject, ...original }, about, context)
  stopIfCancelled(context)
  await writeFileWhole(page, reportPage(content), { mode: 0o600 })
  const { manifest, checks, attacks, measures } = content
  const verdict = verdictOf(manifest, checks).sentence
  return { folder, page, state: overall(checks), verdict, seed, checks, attacks, measures, warnings }
}

const pathKeys = ["against", "audit", "truth", "labels", "other", "otherAudit", "cache"]

/** The commands that find again what the page says. */
function linesToRepeat(
  folder: string,
  { rejects: _written, ...places }: Partial<Static<typeof reportOptions>>,
  seen: (path: string) => string,
): string[] {
  const shown = Object.entries(places).map(([key, value]) => [
    key,
    pathKeys.includes(key) ? [value].flat().map((path) => seen(String(path))) : value,
  ])
  const { other, otherAudit, ...probing } = pickOptions(reportOptions, Object.fromEntries(shown))
  const attacking = { ...probing, other, otherAudit }
  const judging = [commandLine("attack", seen(folder), attacking), commandLine("measure", seen(folder), probing)]
  return [
    commandLine("verify", seen(folder), pickOptions(releaseOptions, probing)),
    ...(places.against === undefined ? [] : judging),
    commandLine("report", seen(folder), attacking),
  ]
}
