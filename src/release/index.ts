export {
  anonymize,
  completeOptions,
  type Draft,
  type DraftOf,
  findMethod,
  makeDraft,
  methodOptions,
  type Parameters,
  type RowsDraft,
  type TablesDraft,
} from "./anonymize.ts"
export type { ArrangedRows } from "./arrange-rows.ts"
export {
  type Balance,
  type Cost,
  checkBudget,
  earlierFingerprints,
  fingerprintOf,
  type LedgerPlace,
  spendBudget,
} from "./budget-ledger.ts"
export { type ColumnPolicy, columnPolicy } from "./column-policy.ts"
export { drawLabels } from "./draw-labels.ts"
export { fitTruth } from "./fit-truth.ts"
export type { Label } from "./labels.ts"
export type { LineDigest } from "./line-digests.ts"
export {
  type FileFormat,
  fileFormats,
  type Manifest,
  type RowsManifest,
  rowsManifestSchema,
  type TablesManifest,
  tablesManifestSchema,
} from "./manifest.ts"
export type { MethodChoice, MethodName, MethodOptions } from "./method-options.ts"
export { previewRelease } from "./preview.ts"
export type { AnyProbe, Probe, ProbeSubject, ReleaseProbe, Score, TablesProbe } from "./probe.ts"
export {
  keepPublished,
  type Publication,
  type PublishOptions,
  publishedPath,
  publishProfiles,
  readPublished,
} from "./publish-profiles.ts"
export { type AuditFolder, openAudit, openDraftAudit } from "./read-audit.ts"
export { openDraft, type Release, type RowsRelease, readRelease, type TablesRelease } from "./read-release.ts"
export type { Receipt } from "./receipt.ts"
export { type ProbeChoice, type ProbeOptions, type ProbeOutcome, runProbes, selectProbes } from "./run-probes.ts"
export { type SealOptions, sealStream } from "./seal/seal-stream.ts"
export { readTruth, type Truth, type TruthFolder } from "./truth.ts"
export { type WriteInput, type WriteOptions, writeRelease } from "./write-release.ts"
export { type SynthSummary, type WriteSynthOptions, writeSynth } from "./write-synth.ts"
