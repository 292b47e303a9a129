import { attacks } from "../../attacks/registry.ts"
import { enterStep, type RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { describeReading } from "../../log/formats/reading.ts"
import type { FileIntake, Intake } from "../../log/intake.ts"
import type { SearchLog, Unit } from "../../log/search-log.ts"
import { measures } from "../../measures/registry.ts"
import type { AnyProbe, ProbeSubject } from "../../probes/probe.ts"
import { type ProbeOutcome, runProbes, selectProbes } from "../../probes/run-probes.ts"
import type { OptionValues } from "../../release/anonymize.ts"
import type { Manifest } from "../../release/manifest.ts"
import { packageVersion } from "../../release/package-version.ts"
import type { Release } from "../../release/read-release.ts"
import type { LogRelation, ReadReceipt } from "../../release/receipt.ts"
import { manifestFile } from "../../release/write-release.ts"
import { verify } from "../../verify/registry.ts"
import type { Check } from "../../verify/verifier.ts"
import { overall } from "../../verify/verifier.ts"
import { type AttackVerdict, attackVerdict } from "./attack-verdict.ts"
import { type PromiseVerdict, promiseVerdict, showsNothing } from "./promise-verdict.ts"

/** The content of a report. */
export interface ReportContent {
  folder: string
  manifest: Manifest
  checks: readonly Check[]
  attacks: readonly ProbeOutcome[]
  measures: readonly ProbeOutcome[]
  /** True if the original log was available. */
  against: boolean
  created: Date
  /** Seed of the attacks and measures; undefined if they used the caller's random source. */
  seed: number | undefined
  versions: { queryveil: string; node: string }
  /** SHA-256 of `release.json` as it is now; undefined for a draft. */
  manifestDigest: string | undefined
  /** The files of the log, if they are known. */
  inputs: readonly Pick<FileIntake, "path" | "bytes" | "sha256">[]
  /** How each column of the log was read, and what its user column distinguishes. */
  readings: readonly string[]
  unit: Unit | undefined
  /** The receipt next to the release, if it belongs to this release. */
  receipt: ReadReceipt | undefined
  /** How the log relates to the log of the receipt; undefined if they were not compared. */
  relation: LogRelation | undefined
  promise: PromiseVerdict
  attacked: AttackVerdict
  /** Commands that reproduce the report. */
  commands: readonly string[]
}

/** A release and, if available, the original log and what is known about it. */
export type ReportSubject = Omit<ProbeSubject<Release>, "log" | "trec"> & {
  log?: SearchLog
  intake?: Intake
  receipt?: ReadReceipt
  relation?: LogRelation
}

/** Which attacks or measures to run (default: all), and their option values. */
interface ChosenProbes {
  only?: readonly string[]
  values?: OptionValues
}

/** What the report says about the release besides the results, and how the release is examined. */
export interface ReportOptions {
  /** The name of the release on the page. */
  folder: string
  seed?: number
  attacks?: ChosenProbes
  measures?: ChosenProbes
  commands?: readonly string[]
  /** The accepted gain over a guess (default: the receipt's, else 0.1). */
  maxRisk?: number | undefined
}

/**
 * Verifies a release. If the original log is available, also attacks and measures the release. The result is the
 * content of a report.
 */
export async function composeReport(
  { log, intake, receipt, relation, ...subject }: ReportSubject,
  options: ReportOptions,
  context: RunContext,
): Promise<ReportContent> {
  const { folder, seed, commands = [] } = options
  const { release } = subject
  const { manifest } = release
  const seeded = seed === undefined ? {} : { seed }
  const whole = log === undefined ? undefined : { ...subject, log }
  const step = (number: number, name: string) => {
    const total = whole === undefined ? 1 : 3
    return enterStep(context, { kind: "step", number, total, name })
  }
  const checks = await verify(whole ?? subject, step(1, "verifying"))
  const isSound = overall(checks) !== "failed"
  const probe = (kind: "attack" | "measure", probes: readonly AnyProbe[], { only, values }: ChosenProbes = {}) => {
    if (whole === undefined) return []
    const within = kind === "attack" ? step(2, "attacking") : step(3, "measuring")
    const run = (some: AnyProbe[]) => runProbes(some, whole, { kind, ...(values && { values }), ...seeded }, within)
    return isSound ? run(selectProbes(probes, only)) : runEach(selectProbes(probes, only), run)
  }
  const attacked = await probe("attack", attacks, options.attacks)
  const isEmpty = await showsNothing(release, context)
  const acceptedRisk = options.maxRisk ?? receipt?.maxRisk
  // Without the original log, the receipt says how it was read.
  const read = intake ?? {
    files: receipt?.input.files ?? [],
    read: receipt?.input.read ?? [],
    unit: receipt?.input.unit,
  }
  return {
    folder,
    manifest,
    checks,
    attacks: attacked,
    measures: await probe("measure", measures, options.measures),
    promise: promiseVerdict(manifest, checks, { relation, isEmpty }),
    attacked: attackVerdict(attacked, { acceptedRisk, relation, isEmpty }),
    receipt,
    relation,
    against: whole !== undefined,
    created: new Date(context.now()),
    seed,
    versions: { queryveil: packageVersion(), node: process.versions.node },
    manifestDigest: await release.fingerprint(manifestFile),
    inputs: read.files,
    readings: read.read.map((reading) => describeReading(reading, read.unit ?? "user")),
    unit: read.unit,
    commands,
  }
}

/**
 * Runs probes one by one. A release that fails its checks may be so broken that a probe cannot read it or match it to
 * the log. The report then gives the reason in place of that probe's scores.
 */
async function runEach(
  probes: readonly AnyProbe[],
  run: (some: AnyProbe[]) => Promise<ProbeOutcome[]>,
): Promise<ProbeOutcome[]> {
  const outcomes: ProbeOutcome[] = []
  for (const probe of probes) {
    try {
      outcomes.push(...(await run([probe])))
    } catch (error) {
      const skipped = error instanceof QueryveilError ? reasonToSkip[error.code] : undefined
      if (skipped === undefined) throw error
      outcomes.push({ probe: probe.name, skipped })
    }
  }
  return outcomes
}

const tooBroken = "the release or its audit is too broken for it"

/** The reason to report, by the code of the error that stopped a probe. */
const reasonToSkip: Partial<Record<string, string>> = {
  "audit-broken": tooBroken,
  "release-broken": tooBroken,
  "input-foreign": "the release shows searches that are not in this log",
}
