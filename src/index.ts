/**
 * From a search log to a release that was verified, attacked and measured. Read the log with `readLog`, write a release with
 * `release` and open it with `readRelease`; then `verify`, `attack` and `measure` it. For experiments, `anonymize` makes a
 * draft in memory, and `openDraft` opens it. No ledger pays for a draft, and no risk is checked.
 *
 * Everything takes a context (`createContext`) last, which may be left out. One with a seed makes a run repeatable, and its
 * release unfit to publish.
 *
 * The live stream is in `queryveil/stream`, personal search in `queryveil/personal`, and extensions are made with
 * `queryveil/extend`.
 *
 * @packageDocumentation
 */
import { lazily } from "./kernels/lazily.ts"

export type { ClassifyOptions, ClassifyOutcome } from "./app/classify.ts"
export type { Released, ReleaseInput } from "./app/release.ts"
export type { LedgerChoice, ReleasePlaces } from "./app/release-places.ts"
export type { AttackName, AttackOptions } from "./attacks/registry.ts"
export { type ContextOptions, createContext, type Progress, type RunContext } from "./kernels/context.ts"
export type { Dictionary } from "./kernels/dictionary.ts"
export { type ErrorCode, type ErrorFields, errorCodes, QueryveilError } from "./kernels/error.ts"
export type { RandomSource } from "./kernels/random.ts"
export type { ColumnTable, Table, TableColumn } from "./kernels/table.ts"
export type { RejectReason } from "./log/formats/parsed-block.ts"
export type { Reading } from "./log/formats/reading.ts"
export type { IdentifierPart } from "./log/identifier-statistics.ts"
export type { Inspection, InspectOptions } from "./log/inspect-log.ts"
export type { FileIntake, Intake } from "./log/intake.ts"
export type { NgramCount, NgramPart } from "./log/ngram-statistics.ts"
export type { ReadResult } from "./log/parse-sources.ts"
export type { ReadOptions } from "./log/read-log.ts"
export type { SearchLog } from "./log/search-log.ts"
export type { ExposurePart, LengthPart, LogSize, TimeSpan } from "./log/statistics.ts"
export type { MeasureName, MeasureOptions } from "./measures/registry.ts"
export type { DpGuarantee } from "./methods/dp-guarantee.ts"
export type { Guarantee, TablesGuarantee } from "./methods/guarantee.ts"
export type { Preview } from "./methods/method.ts"
export type { TablesGuarantees } from "./methods/registry.ts"
export type { AnyProbe, Probe, ProbeSubject, ReleaseProbe, Score, TablesProbe } from "./probes/probe.ts"
export type { ProbeChoice, ProbeOutcome } from "./probes/run-probes.ts"
export type { Draft, DraftOf, Parameters, RowsDraft, TablesDraft } from "./release/anonymize.ts"
export { fitTruth } from "./release/fit-truth.ts"
export type { Label } from "./release/labels.ts"
export type { LineDigest } from "./release/line-digests.ts"
export type { FileFormat, Manifest, RowsManifest, TablesManifest } from "./release/manifest.ts"
export type { MethodChoice, MethodName, MethodOptions } from "./release/method-options.ts"
export type { PartsDraft } from "./release/parts-draft.ts"
export { type AuditFolder, openAudit, openDraftAudit } from "./release/read-audit.ts"
export { openDraft, type Release, type RowsRelease, readRelease, type TablesRelease } from "./release/read-release.ts"
export type { Receipt } from "./release/receipt.ts"
export type { SealOptions } from "./release/seal/seal-stream.ts"
export { readTruth, type Truth, type TruthFolder } from "./release/truth.ts"
export type { WriteInput, WriteOptions } from "./release/write-release.ts"
export type { SynthSummary, WriteSynthOptions } from "./release/write-synth.ts"
export type { Risk } from "./study/frontier/risk.ts"
export type { Coverage, Tally } from "./taxonomy/classify/coverage.ts"
export type { Taxonomy } from "./taxonomy/taxonomy.ts"
export { type Check, overall, type VerifySubject } from "./verify/verifier.ts"

// What follows is loaded when it is first called: docs/ARCHITECTURE.md says why.

/** Reads a search log: paths, globs and `-`, plain or gzip, in any of the formats. The same input gives the same log. */
export const readLog = lazily(() => import("./log/read-log.ts"), "readLog")

/** Says how exposed the users of a log are, in counts: who is alone with a query, what identifies people, how users search. */
export const inspectLog = lazily(() => import("./log/inspect-log.ts"), "inspectLog")

/** Finds the topic of every query of a log. */
export const classify = lazily(() => import("./app/classify.ts"), "classify")

/** Writes a synthetic log, and what was planted in it. */
export const writeSynth = lazily(() => import("./release/write-synth.ts"), "writeSynth")

/** Makes a release and writes it, as `queryveil anonymize` does: checked options, ledger, risk, locked folder, receipt. */
export const release = lazily(() => import("./app/release.ts"), "release")

/** Says what a method would release of a log, for the owner's eyes. */
export const previewRelease = lazily(() => import("./release/preview.ts"), "previewRelease")

/** Makes a draft of a release in memory, for experiments. */
export const anonymize = lazily(() => import("./release/anonymize.ts"), "anonymize")

/** Writes a draft to a folder. No ledger pays for it, and no risk is checked: `release` does both. */
export const writeRelease = lazily(() => import("./release/write-release.ts"), "writeRelease")

/** Makes a release of a period of a live stream. */
export const sealStream = lazily(() => import("./release/seal/seal-stream.ts"), "sealStream")

/** Checks a release: what every release must show, then its guarantee. `overall` sums the checks up. */
export const verify = lazily(() => import("./verify/registry.ts"), "verify")

/** Runs the attacks of these names, or all, on a release and its original. */
export const attack = lazily(() => import("./attacks/registry.ts"), "attack")

/** Runs the measures of these names, or all, on a release and its original. */
export const measure = lazily(() => import("./measures/registry.ts"), "measure")
