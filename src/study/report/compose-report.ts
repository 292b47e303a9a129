import { attack } from "../../attacks/registry.ts"
import type { RunContext } from "../../kernels/context.ts"
import type { FileIntake, Intake } from "../../log/intake.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { measure } from "../../measures/registry.ts"
import type { Parameters } from "../../release/anonymize.ts"
import type { Manifest } from "../../release/manifest.ts"
import { packageVersion } from "../../release/package-version.ts"
import type { ProbeSubject } from "../../release/probe.ts"
import type { Release } from "../../release/read-release.ts"
import type { ProbeOutcome } from "../../release/run-probes.ts"
import { manifestFile } from "../../release/write-release.ts"
import { verify } from "../../verify/registry.ts"
import type { Check } from "../../verify/verifier.ts"

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
  /** Command lines that do all this again. */
  commands: readonly string[]
}

/** A release and, where they are at hand, the original and what is known about it. */
export type ReportSubject = Omit<ProbeSubject<Release>, "log" | "trec"> & { log?: SearchLog; intake?: Intake }

/** Which attacks or measures, and with which values; all unless said. */
export interface ChosenProbes {
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
}

/** Verifies a release, and where the original is at hand attacks and measures it: what a report is made of. */
export async function composeReport(
  { log, intake, ...subject }: ReportSubject,
  options: ReportOptions,
  context: RunContext,
): Promise<ReportContent> {
  const { folder, seed, commands = [] } = options
  const { release } = subject
  const seeded = seed === undefined ? {} : { seed }
  const whole = log === undefined ? undefined : { ...subject, log }
  return {
    folder,
    manifest: release.manifest,
    checks: await verify(whole ?? subject, context),
    attacks: whole === undefined ? [] : await attack(whole, { ...options.attacks, ...seeded }, context),
    measures: whole === undefined ? [] : await measure(whole, { ...options.measures, ...seeded }, context),
    against: whole !== undefined,
    created: new Date(context.now()),
    seed,
    versions: { queryveil: packageVersion(), node: process.versions.node },
    manifestDigest: await release.fingerprint(manifestFile),
    inputs: intake?.files ?? [],
    commands,
  }
}
