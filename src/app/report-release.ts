import { relative } from "node:path"
import { type Static, Type } from "#typebox"
import { besidePath, reserveFile } from "../files/reserve.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { type ProbeOutcome, usualSeed } from "../probes/run-probes.ts"
import type { LogRelation } from "../release/receipt.ts"
import { type AttackVerdict, isForeign } from "../study/report/attack-verdict.ts"
import { composeReport } from "../study/report/compose-report.ts"
import type { PromiseVerdict } from "../study/report/promise-verdict.ts"
import { reportPage } from "../study/report/report-page.ts"
import type { Check, CheckState } from "../verify/verifier.ts"
import { overall } from "../verify/verifier.ts"
import { reserveAnswer } from "./answer-files.ts"
import { isRead, type LogPlace, listWarnings } from "./open-log.ts"
import { openSubject } from "./open-subject.ts"
import {
  checkOptions,
  engineOption,
  forceOption,
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
  engine: engineOption,
  truth: truthOption,
  labels: labelsOption,
  seed: seedOption,
  ...otherOptions,
  maxRisk: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "accept this gain of an attack over a guess, 0 to 1 (default that of anonymize --max-risk, else 0.1)",
    }),
  ),
  output: outputOption("file", "write the page to this file (default DIR.report.html, next to the release)"),
  force: forceOption("page"),
})

/** The options, including those that are not flags. */
const allOptions = Type.Object({
  ...reportOptions.properties,
  seenFrom: Type.Optional(Type.String()),
  madeBy: Type.Optional(Type.String()),
})

/** The original and its side files, and the page to write. */
export interface ReportReleaseOptions extends Omit<GivenOptions<typeof reportOptions>, "against"> {
  /** The original log: files, globs, `-`, or what `readLog` returned. Without it nothing is attacked or measured. */
  against?: LogPlace | undefined
  /** A folder. Paths on the page are relative to it, and the commands on the page are to be run in it. */
  seenFrom?: string | undefined
  /** The command that made the release, for the page. */
  madeBy?: string | undefined
}

/** A page about a release, and its content. */
export interface Reported {
  folder: string
  page: string
  state: CheckState
  /** The checks in one sentence. */
  verdict: string
  /** The verdicts on the promise and on what attacks found despite it. */
  verdicts: { promise: PromiseVerdict; attacks: AttackVerdict }
  /** How the original relates to the log of the receipt; `not compared` without a receipt or without the original. */
  original: LogRelation | "not compared"
  seed: number
  checks: readonly Check[]
  /** Empty without the original. */
  attacks: readonly ProbeOutcome[]
  measures: readonly ProbeOutcome[]
  warnings: string[]
}

/** Verifies, attacks and measures the release in a folder and writes a page about it, as `queryveil report` does. */
export async function reportRelease(
  folder: string,
  options: ReportReleaseOptions = {},
  given: RunContext = createContext(),
): Promise<Reported> {
  const { against, ...others } = options
  const files = against !== undefined && isRead(against) ? against.intake.files.map(({ path }) => path) : against
  const { seenFrom, madeBy, ...checked } = checkOptions("reportRelease", allOptions, { ...others, against: files })
  const { context, warnings } = listWarnings(given)
  const { output: page = besidePath(folder, ".report.html"), seed = usualSeed, maxRisk, force, ...places } = checked
  await reserveAnswer(page, folder)
  await reserveFile(page, { force: force === true })
  const { original, ...subject } = await openSubject(folder, { ...places, against, output: page }, context)
  const seen = (path: string) => (seenFrom === undefined ? path : relative(seenFrom, path))
  const again = { ...places, seed, ...(maxRisk !== undefined && { maxRisk }) }
  const commands = [...(madeBy === undefined ? [] : [madeBy]), ...linesToRepeat(folder, again, seen)]
  const about = { folder: seen(folder), seed, commands, maxRisk }
  const content = await composeReport({ ...subject, ...original }, about, context)
  stopIfCancelled(context)
  await writeFileWhole(page, reportPage(content), { mode: 0o600 })
  const { promise, attacked, checks, attacks, measures, relation } = content
  const verdicts = { promise, attacks: attacked }
  const found = { state: overall(checks), verdict: promise.sentence, verdicts }
  return { folder, page, ...found, original: relation ?? "not compared", seed, checks, attacks, measures, warnings }
}

/**
 * True if the page was made against a different log than the release. It then says nothing about how safe the release
 * is.
 */
export const isOfOtherLog = ({ original }: Pick<Reported, "original">): boolean =>
  original !== "not compared" && isForeign(original)

const pathKeys = ["against", "audit", "truth", "labels", "other", "otherAudit", "cache"]

/** The commands that reproduce the results on the page. */
function linesToRepeat(
  folder: string,
  { rejects: _written, ...places }: Partial<Static<typeof reportOptions>>,
  seen: (path: string) => string,
): string[] {
  const isPath = (key: string) => pathKeys.includes(key) && !(key === "against" && places.engine !== undefined)
  const shown = Object.entries(places).map(([key, value]) => [
    key,
    isPath(key) ? [value].flat().map((path) => seen(String(path))) : value,
  ])
  const verifyOptions = Type.Object({ ...releaseOptions.properties, engine: engineOption })
  const { other, otherAudit, maxRisk, ...probing } = pickOptions(reportOptions, Object.fromEntries(shown))
  const attacking = { ...probing, other, otherAudit }
  const judging = [commandLine("attack", seen(folder), attacking), commandLine("measure", seen(folder), probing)]
  return [
    commandLine("verify", seen(folder), pickOptions(verifyOptions, probing)),
    ...(places.against === undefined ? [] : judging),
    commandLine("report", seen(folder), { ...attacking, maxRisk }),
  ]
}
