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
export { type Advised, type AdviseOptions, adviseRelease } from "./app/advise-release.ts"
export { type ChoiceOptions, type ChosenRelease, chooseRelease, type ReleaseOption } from "./app/choose-release.ts"
export { type Classified, type ClassifyOptions, classifyLog } from "./app/classify-log.ts"
export { type Inspected, type InspectFilesOptions, inspect } from "./app/inspect.ts"
export type { LogOptions } from "./app/options.ts"
export { type Planned, planRelease } from "./app/plan-release.ts"
export {
  type AttackReleaseOptions,
  attackRelease,
  type MeasureReleaseOptions,
  measureRelease,
  type Probed,
} from "./app/probe-release.ts"
export { type Released, release } from "./app/release.ts"
export type { LedgerChoice, ReleasePlaces } from "./app/release-places.ts"
export { type Reported, type ReportReleaseOptions, reportRelease } from "./app/report-release.ts"
export { type Studied, type StudyLogOptions, studyLog } from "./app/study-log.ts"
export { type Verified, type VerifyOptions, verifyRelease } from "./app/verify-release.ts"
export { type AttackName, type AttackOptions, attack, attacks } from "./attacks/registry.ts"
export { type ContextOptions, createContext, type Notice, type Progress, type RunContext } from "./kernels/context.ts"
export type { Dictionary } from "./kernels/dictionary.ts"
export { type ErrorCode, type ErrorFields, errorCodes, QueryveilError } from "./kernels/error.ts"
export type { RandomSource } from "./kernels/random.ts"
export { type Table, tableOf } from "./kernels/table.ts"
export type { Reading } from "./log/formats/reading.ts"
export type { IdentifierPart } from "./log/identifier-statistics.ts"
export { type Inspection, type InspectOptions, inspectLog } from "./log/inspect-log.ts"
export type { Intake } from "./log/intake.ts"
export type { NgramCount, NgramPart } from "./log/ngram-statistics.ts"
export type { ReadResult } from "./log/parse-sources.ts"
export { type ReadOptions, readLog } from "./log/read-log.ts"
export type { SearchLog } from "./log/search-log.ts"
export type { ExposurePart, LengthPart, LogSize, TimeSpan } from "./log/statistics.ts"
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
export type { MatchingK } from "./study/advise/matching-k.ts"
export type { Risk } from "./study/frontier/risk.ts"
export type { UseValue } from "./study/frontier/rows.ts"
export { studies } from "./study/registry.ts"
export { runStudy, type StudyOutcome, type StudyRun } from "./study/run-study.ts"
export type { Figure, Point, PointOutput, PointResult, Study, StudySubject } from "./study/study.ts"
export type { Tally } from "./taxonomy/classify/coverage.ts"
export { overall, verify } from "./verify/registry.ts"
export type { Check, Verifier, VerifySubject } from "./verify/verifier.ts"
