export type { StoreFile, StoreFiles } from "../files/folder-files.ts"
export type { Found } from "../kernels/linkage/judge-names.ts"
export { cutTopics, findTopics } from "./categories.ts"
export { CellTexts, type ClaimKeys } from "./cell-texts.ts"
export { drawDerangement } from "./derange.ts"
export { type Hold, holdRareTexts } from "./hold-rare.ts"
export type { AnsweredRequest, AnsweredRequests, RequestIdentity } from "./live/answered-requests.ts"
export type { LateRecords } from "./live/arrival-order.ts"
export { assessRisk, type RiskOptions, type RiskVerdict } from "./live/assess-risk.ts"
export { batchRecords, type StreamRecord } from "./live/batch-records.ts"
export { RecentQuantiles } from "./live/delays.ts"
export type { Quantiles, RiskFigures, RunQuantiles, StreamFigures } from "./live/figures.ts"
export type { TextSpan } from "./live/live-records.ts"
export type { LiveStream, Offer, StreamChange } from "./live/live-stream.ts"
export { LiveTexts } from "./live/live-texts.ts"
export { type LiveStreamParts, openLiveStream } from "./live/open-live-stream.ts"
export { completeLiveOptions, type LiveOptions, liveOptions, type OutputFormat, outputFormats } from "./live/options.ts"
export { ReleasedPairs } from "./live/released-pairs.ts"
export { RiskWindow, type WindowReleases } from "./live/risk-window.ts"
export type { StreamSettings } from "./live/settings.ts"
export { startStream } from "./live/start-stream.ts"
export { type PromiseState, statePromise } from "./live/state-promise.ts"
export { type ReleasedRecord, tellReleases } from "./live/tell-releases.ts"
export type { BatchReceipt, InputBatch, RequestReceipt, StreamOutput } from "./live/transport.ts"
export { type NameLifetime, nameLifetimes } from "./live/user-names.ts"
export { RiskWatch } from "./live/watch-risk.ts"
export { RecordTable, type TableKeys } from "./record-table.ts"
export type { ArchiveFacts } from "./store/archive.ts"
export { type AuditedRecord, type AuditedRelease, openStreamAudit, type StreamAudit } from "./store/audited-releases.ts"
export type { BooksKeeper } from "./store/bookkeeper.ts"
export type { Frame, StoredDeals, StoredRecords } from "./store/frame.ts"
export { decodeFrame, encodeFrame } from "./store/frame-codec.ts"
export { type BookkeepingJob, type Books, keepBooks } from "./store/keep-books.ts"
export type { BooksReply } from "./store/keep-books.worker.ts"
export type { ProfileBooks } from "./store/keep-profiles.ts"
export { openStore, type StoreOptions, type StoreParts, storeParts } from "./store/open-store.ts"
export { hashPair, mixPair, type PairSeeds, pairSeeds } from "./store/pair-hash.ts"
export type { ProfileRun } from "./store/profile-runs.ts"
export { openProfiles, type Profiles, type TopicCount, type UserProfile } from "./store/profiles.ts"
export type { Segments } from "./store/read-journal.ts"
export type { Generation } from "./store/released-pairs.ts"
export type { SnapshotFile } from "./store/snapshot.ts"
export type { Boundary, OutputPosition, Recovered, StreamStore, WaitingRecords } from "./store/store.ts"
export {
  createSwapper,
  type RecordColumns,
  type SwapMode,
  type Swapper,
  type SwapperOptions,
  type SwapSink,
  swapModes,
  type WaitingPart,
  type WithheldBy,
  waitingParts,
} from "./swapper.ts"
