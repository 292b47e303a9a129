import { type RunContext } from "../../kernels/context.ts"
import type { FileIntake, Intake } from "../../log/intake.ts"
import type { SearchLog, Unit } from "../../log/search-log.ts"
import type { ProbeSubject } from "../../probes/probe.ts"
import { type ProbeOutcome } from "../../probes/run-probes.ts"
import type { OptionValues } from "../../release/anonymize.ts"
import type { Manifest } from "../../release/manifest.ts"
import type { Release } from "../../release/read-release.ts"
import type { LogRelation, ReadReceipt } from "../../release/receipt.ts"
import type { Check } from "../../verify/verifier.ts"
import { type AttackVerdict } from "./attack-verdict.ts"
import { type PromiseVerdict } from "./promise-verdict.ts"
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
  versions: {
    queryveil: string
    node: string
  }
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
export declare function composeReport(
  { log, intake, receipt, relation, ...subject }: ReportSubject,
  options: ReportOptions,
  context: RunContext,
): Promise<ReportContent>
