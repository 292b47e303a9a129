/**
 * From a search log to a release that was verified, attacked and measured. Read the log with `readLog`, write a release with
 * `release` and open it with `readRelease`; then `verify`, `attack` and `measure` it. For experiments, `anonymize` makes a
 * draft in memory, and `openDraft` opens it. No ledger pays for a draft, and no risk is checked.
 *
 * Everything takes a context (`createContext`) last, which may be left out. One with a seed makes a run repeatable, and its
 * release unfit to publish.
 *
 * The rooms below have entry points of their own: the live stream is in `queryveil/stream` and `queryveil/server`, personal
 * search in `queryveil/personal`, topics in `queryveil/taxonomy`.
 *
 * @packageDocumentation
 */
export { type Released, release } from "./app/release.ts"
export type { LedgerChoice, ReleasePlaces } from "./app/release-places.ts"
export { type AttackName, type AttackOptions, attack, attacks } from "./attacks/registry.ts"
export { type ContextOptions, createContext, type Progress, type RunContext } from "./kernels/context.ts"
export type { Dictionary } from "./kernels/dictionary.ts"
export { type ErrorCode, type ErrorFields, errorCodes, QueryveilError } from "./kernels/error.ts"
export type { RandomSource } from "./kernels/random.ts"
export { type Table, tableOf } from "./kernels/table.ts"
export { type Inspection, type InspectOptions, inspectLog } from "./log/inspect-log.ts"
export type { Intake } from "./log/intake.ts"
export type { ReadResult } from "./log/parse-sources.ts"
export { type ReadOptions, readLog } from "./log/read-log.ts"
export type { SearchLog } from "./log/search-log.ts"
export { type MeasureName, type MeasureOptions, measure, measures } from "./measures/registry.ts"
export type { DpGuarantee } from "./methods/dp-guarantee.ts"
export type { Guarantee } from "./methods/guarantee.ts"
export type { Method, MethodResult, Preview } from "./methods/method.ts"
export { methods } from "./methods/registry.ts"
export type { AnyProbe, Probe, ProbeSubject, ReleaseProbe, TablesProbe } from "./probes/probe.ts"
export type { ProbeOutcome } from "./probes/run-probes.ts"
export type { Finding, Score, Scored } from "./probes/score.ts"
export {
  anonymize,
  type Draft,
  type DraftOf,
  type Parameters,
  type RowsDraft,
  type TablesDraft,
} from "./release/anonymize.ts"
export { fitTruth } from "./release/fit-truth.ts"
export type { LineDigest } from "./release/line-digests.ts"
export type { FileFormat, Manifest } from "./release/manifest.ts"
export type { MethodChoice, MethodName, MethodOptions } from "./release/method-options.ts"
export { previewRelease } from "./release/preview.ts"
export { type AuditFolder, openAudit, openDraftAudit } from "./release/read-audit.ts"
export { openDraft, type Release, type RowsRelease, readRelease, type TablesRelease } from "./release/read-release.ts"
export type { Receipt } from "./release/receipt.ts"
export { type SealOptions, sealStream } from "./release/seal/seal-stream.ts"
export { readTruth, type Truth, type TruthFolder } from "./release/truth.ts"
export { type WriteInput, type WriteOptions, writeRelease } from "./release/write-release.ts"
export { type SynthSummary, type WriteSynthOptions, writeSynth } from "./release/write-synth.ts"
export { studies } from "./study/registry.ts"
export { runStudy, type StudyOutcome, type StudyRun } from "./study/run-study.ts"
export type { Figure, Point, PointOutput, PointResult, Study, StudySubject } from "./study/study.ts"
export { overall, verify } from "./verify/registry.ts"
export type { Check, Verifier, VerifySubject } from "./verify/verifier.ts"
