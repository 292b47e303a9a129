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
export { type AttackName, type AttackOptions, attack, attacks } from "./attacks/index.ts"
export {
  type ContextOptions,
  createContext,
  type Dictionary,
  type ErrorCode,
  type ErrorFields,
  errorCodes,
  type Progress,
  QueryveilError,
  type RandomSource,
  type RunContext,
} from "./kernels/index.ts"
export {
  type Inspection,
  type InspectOptions,
  type Intake,
  inspectLog,
  type ReadOptions,
  type ReadResult,
  readLog,
  type SearchLog,
} from "./log/index.ts"
export { type MeasureName, type MeasureOptions, measure, measures } from "./measures/index.ts"
export {
  type DpGuarantee,
  type Guarantee,
  type Method,
  type MethodResult,
  methods,
  type Preview,
  type Table,
  tableOf,
} from "./methods/index.ts"
export {
  type AnyProbe,
  type AuditFolder,
  anonymize,
  type Draft,
  type DraftOf,
  type FileFormat,
  fitTruth,
  type LineDigest,
  type Manifest,
  type MethodChoice,
  type MethodName,
  type MethodOptions,
  openAudit,
  openDraft,
  openDraftAudit,
  type Parameters,
  type Probe,
  type ProbeOutcome,
  type ProbeSubject,
  previewRelease,
  type Receipt,
  type Release,
  type ReleaseProbe,
  type RowsDraft,
  type RowsRelease,
  readRelease,
  readTruth,
  type Score,
  type SealOptions,
  type SynthSummary,
  sealStream,
  type TablesDraft,
  type TablesProbe,
  type TablesRelease,
  type Truth,
  type TruthFolder,
  type WriteInput,
  type WriteOptions,
  type WriteSynthOptions,
  writeRelease,
  writeSynth,
} from "./release/index.ts"
export {
  type Figure,
  type Point,
  type PointOutput,
  type PointResult,
  runStudy,
  type Study,
  type StudyOutcome,
  type StudyRun,
  type StudySubject,
  studies,
} from "./study/index.ts"
export { type Check, overall, type Verifier, type VerifySubject, verify } from "./verify/index.ts"
