export {
  anonymize,
  completeOptions,
  type Draft,
  findMethod,
  methodOptions,
  type Parameters,
  type RowsDraft,
  type TablesDraft,
} from "./anonymize.ts"
export { checkBudget, fingerprintOf, spendBudget } from "./budget-ledger.ts"
export { type ColumnPolicy, columnPolicy } from "./column-policy.ts"
export type { FileFormat, Manifest, RowsManifest, TablesManifest } from "./manifest.ts"
export { previewRelease } from "./preview.ts"
export type { AnyProbe, Probe, ProbeSubject, ReleaseProbe, Score, TablesProbe } from "./probe.ts"
export { type AuditFolder, openAudit, openDraftAudit } from "./read-audit.ts"
export { openDraft, type Release, type RowsRelease, readRelease, type TablesRelease } from "./read-release.ts"
export type { Receipt } from "./receipt.ts"
export { type ProbeOutcome, runProbes, selectProbes } from "./run-probes.ts"
export { readTruth, type Truth } from "./truth.ts"
export { type WriteOptions, writeRelease } from "./write-release.ts"
export { type SynthSummary, type WriteSynthOptions, writeSynth } from "./write-synth.ts"
