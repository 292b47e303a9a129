import { attacks } from "../../attacks/registry.ts"
import { enterStep, type RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { describeReading } from "../../log/formats/reading.ts"
import type { FileIntake, Intake } from "../../log/intake.ts"
import type { SearchLog, Unit } from "../../log/search-log.ts"
import { measures } from "../../measures/registry.ts"
import type { AnyProbe, ProbeSubject } from "../../probes/probe.ts"
import { type ProbeOutcome, runProbes, selectProbes } from "../../probes/run-probes.ts"
import type { Parameters } from "../../release/anonymize.ts"
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

/** Everything that a report says. */
export interface ReportContent {
  folder: string
  manifest: Manifest
  checks: readonly Check[]
  attacks: readonly ProbeOutcome[]
  measures: readonly ProbeOutcome[]
  /** Whether the original was at hand. */
  against: boolean
  created: Date
  /** Of attacks and measures; undefined: they drew from the randomness of whoever had the report made. */
  seed: number | undefined
  versions: { queryveil: string; node: string }
  /** SHA-256 of `release.json` as it is now; none of a draft. */
  manifestDigest: string | undefined
  /** The files of the log, where it is known which they were. */
  inputs: readonly Pick<FileIntake, "path" | "bytes" | "sha256">[]
  /** Which columns of the log were read as what, and whom its user column distinguishes. */
  readings: readonly string[]
  unit: Unit | undefined
  /** The receipt next to the release, if it is that of this release. */
  receipt: ReadReceipt | undefined
  /** How the log relates to that of the receipt; undefined: not compared. */
  relation: LogRelation | undefined
  promise: PromiseVerdict
  attacked: AttackVerdict
  /** Command lines that do all this again. */
  commands: readonly string[]
}

/** A release and, where they are at hand, the original and what is known about it. */
export type ReportSubject = Omit<ProbeSubject<Release>, "log" | "trec"> & {
  log?: SearchLog
  intake?: Intake
  receipt?: ReadReceipt
  relation?: LogRelation
}

/** Which attacks or measures, and with which values; all unless said. */
interface ChosenProbes {
  only?: readonly string[]
  values?: Parameters
}

/** What the report says of the release besides what was found, and how it was looked at. */
export interface ReportOptions {
  /** As the page names it. */
  folder: string
  seed?: number
  attacks?: ChosenProbes
  measures?: ChosenProbes
  commands?: readonly string[]
  /** The gain over a guess that is accepted (default: the receipt's, else 0.1). */
  maxRisk?: number | undefined
}

/** Verifies a release, and where the original is at hand attacks and measures it: what a report is made of. */
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
  // Without the original the receipt says how it was read.
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
 * One by one: a release that fails its checks may be so broken that a probe cannot read it or find it in the log, and that
 * is said in its place.
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

/** By the code of the error that stopped a probe. */
const reasonToSkip: Partial<Record<string, string>> = {
  "audit-broken": tooBroken,
  "release-broken": tooBroken,
  "input-foreign": "the release shows searches that are not in this log",
}
