/**
 * From a search log to a release that was verified, attacked and measured. Read the log with `readLog`, write a release
 * with `release` and open it with `readRelease`; then `verify`, `attack` and `measure` it. For experiments, `anonymize`
 * makes a draft in memory, and `openDraft` opens it. No ledger pays for a draft, and no risk is checked.
 *
 * Most functions take an optional context (`createContext`) as their last argument. A context with a seed makes a run
 * repeatable, and its release unfit to publish.
 *
 * The live stream is in `queryveil/stream`, personal search in `queryveil/personal`, and extensions are made with
 * `queryveil/extend`.
 *
 * @packageDocumentation
 */
import { lazily } from "./kernels/lazily.ts"

export type { Advised, AdviseOptions } from "./app/advise-release.ts"
export type { ChoiceOptions, ChosenRelease, ReleaseOption } from "./app/choose-release.ts"
export type { Classified, ClassifyOptions } from "./app/classify-log.ts"
export type { Explained, ExplainQueryOptions } from "./app/explain-query.ts"
export type { Inspected, InspectFilesOptions } from "./app/inspect.ts"
export type { LogPlace } from "./app/open-log.ts"
export type { LogOptions } from "./app/options.ts"
export type { Planned } from "./app/plan-release.ts"
export type { AttackReleaseOptions, MeasureReleaseOptions, Probed } from "./app/probe-release.ts"
export type { Released, ReleaseInput } from "./app/release.ts"
export type { LedgerChoice, ReleasePlaces } from "./app/release-places.ts"
export type { Reported, ReportReleaseOptions } from "./app/report-release.ts"
export type { Studied, StudyLogOptions } from "./app/study-log.ts"
export type { Verified, VerifyOptions } from "./app/verify-release.ts"
export type { AttackName, AttackOptions } from "./attacks/registry.ts"
export {
  type ContextOptions,
  createContext,
  type Notice,
  type Progress,
  type ProgressStep,
  type RunContext,
} from "./kernels/context.ts"
export type { Dictionary } from "./kernels/dictionary.ts"
export { type ErrorCode, type ErrorFields, errorCodes, QueryveilError } from "./kernels/error.ts"
export type { RandomSource } from "./kernels/random.ts"
export type { ColumnTable, Table, TableColumn } from "./kernels/table.ts"
export type { RejectReason } from "./log/formats/parsed-block.ts"
export type { Reading } from "./log/formats/reading.ts"
export type { IdentifierPart } from "./log/identifier-statistics.ts"
export type { Inspection, InspectOptions } from "./log/inspect-log.ts"
export type { FileIntake, IndexIntake, Intake } from "./log/intake.ts"
export type { NgramCount, NgramPart } from "./log/ngram-statistics.ts"
export type { ReadResult } from "./log/parse-sources.ts"
export type { ReadOptions } from "./log/read-log.ts"
export type { SearchLog } from "./log/search-log.ts"
export type { ExposurePart, LengthPart, LogSize, TimeSpan } from "./log/statistics.ts"
export type { MeasureName, MeasureOptions } from "./measures/registry.ts"
export type { DpGuarantee } from "./methods/dp-guarantee.ts"
export type { Chance, Change, Explanation, ExplanationGraph, Outcome, Verdict } from "./methods/explanation.ts"
export type { Guarantee, TablesGuarantee } from "./methods/guarantee.ts"
export type { Preview } from "./methods/method.ts"
export type { TablesGuarantees } from "./methods/registry.ts"
export type { AnyProbe, Probe, ProbeSubject, ReleaseProbe, TablesProbe } from "./probes/probe.ts"
export type { ProbeChoice, ProbeOutcome } from "./probes/run-probes.ts"
export type { Finding, Score, Scored } from "./probes/score.ts"
export type { Draft, DraftOf, OptionValues, RowsDraft, TablesDraft } from "./release/anonymize.ts"
export type { ExplainedQuery } from "./release/explain.ts"
export { fitTruth } from "./release/fit-truth.ts"
export type { Label } from "./release/labels.ts"
export type { LineDigest } from "./release/line-digests.ts"
export type { FileFormat, Manifest, RowsManifest, TablesManifest } from "./release/manifest.ts"
export type { MethodChoice, MethodName, MethodOptions } from "./release/method-options.ts"
export type { PartsDraft } from "./release/parts-draft.ts"
export { type AuditFolder, openAudit, openDraftAudit } from "./release/read-audit.ts"
export { openDraft, type Release, type RowsRelease, readRelease, type TablesRelease } from "./release/read-release.ts"
export type { LogRelation, Receipt } from "./release/receipt.ts"
export type { ExemptFigures } from "./release/scrub.ts"
export type { SealOptions } from "./release/seal/seal-stream.ts"
export { readTruth, type Truth, type TruthFolder } from "./release/truth.ts"
export type { WriteInput, WriteOptions } from "./release/write-release.ts"
export type { SynthSummary, WriteSynthOptions } from "./release/write-synth.ts"
export type { MatchingK } from "./study/advise/matching-k.ts"
export type { Risk } from "./study/frontier/risk.ts"
export type { UseValue } from "./study/frontier/rows.ts"
export type { PointFile } from "./study/point-files.ts"
export type { AttackVerdict } from "./study/report/attack-verdict.ts"
export type { PromiseVerdict } from "./study/report/promise-verdict.ts"
export type { Point, PointResult, TableData } from "./study/study.ts"
export type { Coverage, Tally } from "./taxonomy/classify/coverage.ts"
export type { Taxonomy } from "./taxonomy/taxonomy.ts"
export { type Check, overall, type VerifySubject } from "./verify/verifier.ts"

// The functions below are loaded on first call; docs/ARCHITECTURE.md says why.

/**
 * Reads a search log from paths, globs and `-`, plain or gzip, in any of the formats. The same input gives the same
 * log.
 */
export const readLog = lazily(() => import("./log/read-log.ts"), "readLog")

/**
 * Shows how exposed the users of a log are, in counts: who is alone with a query, what identifies people, how users
 * search.
 */
export const inspectLog = lazily(() => import("./log/inspect-log.ts"), "inspectLog")

/** `inspectLog` for files: reads the log, and writes its page if one is requested. */
export const inspect = lazily(() => import("./app/inspect.ts"), "inspect")

/** Finds the topic of every query of a log. If a file is named, writes the log with a topic column to it. */
export const classifyLog = lazily(() => import("./app/classify-log.ts"), "classifyLog")

/** Writes a synthetic log, and the truth about what was planted in it. */
export const writeSynth = lazily(() => import("./release/write-synth.ts"), "writeSynth")

/**
 * Makes a release and writes it, as `queryveil anonymize` does: with checked options, ledger, risk, locked folder and
 * receipt.
 */
export const release = lazily(() => import("./app/release.ts"), "release")

/** Recommends a method and options for a log and a purpose, based on attacks on a sample of the log. */
export const adviseRelease = lazily(() => import("./app/advise-release.ts"), "adviseRelease")

/** Chooses the most useful release within a risk limit, among the releases that a frontier compared. */
export const chooseRelease = lazily(() => import("./app/choose-release.ts"), "chooseRelease")

/**
 * Explains why a method releases a query of a log or does not, and what would change that. Only for the owner of the
 * log.
 */
export const explainQuery = lazily(() => import("./app/explain-query.ts"), "explainQuery")

/** `previewRelease` for files. */
export const planRelease = lazily(() => import("./app/plan-release.ts"), "planRelease")

/** Shows what a method would release from a log. Only for the owner of the log. */
export const previewRelease = lazily(() => import("./release/preview.ts"), "previewRelease")

/** Makes a draft of a release in memory, for experiments. */
export const anonymize = lazily(() => import("./release/anonymize.ts"), "anonymize")

/** Writes a draft to a folder. No ledger pays for it, and no risk is checked; `release` does both. */
export const writeRelease = lazily(() => import("./release/write-release.ts"), "writeRelease")

/** Makes a release from a period of a live stream. */
export const sealStream = lazily(() => import("./release/seal/seal-stream.ts"), "sealStream")

/** Checks a release: what every release must satisfy, then its guarantee. `overall` summarises the checks. */
export const verify = lazily(() => import("./verify/registry.ts"), "verify")

/** Runs the named attacks, or all, on a release and its original. */
export const attack = lazily(() => import("./attacks/registry.ts"), "attack")

/** Runs the named measures, or all, on a release and its original. */
export const measure = lazily(() => import("./measures/registry.ts"), "measure")

/** `verify` for a folder and the files of its log. */
export const verifyRelease = lazily(() => import("./app/verify-release.ts"), "verifyRelease")

/** `attack` for a folder and the files of its log. */
export const attackRelease = lazily(() => import("./app/probe-release.ts"), "attackRelease")

/** `measure` for a folder and the files of its log. */
export const measureRelease = lazily(() => import("./app/probe-release.ts"), "measureRelease")

/** Verifies, attacks and measures a release, and writes one page about it. */
export const reportRelease = lazily(() => import("./app/report-release.ts"), "reportRelease")

/** Runs a study on a log: a grid of methods and options, with figures. */
export const studyLog = lazily(() => import("./app/study-log.ts"), "studyLog")
