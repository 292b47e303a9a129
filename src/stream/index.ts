export { drawDerangement } from "./derange.ts"
export { type Hold, holdRareTexts } from "./hold-rare.ts"
export { RecordTable } from "./record-table.ts"
export type { Frame, StoredDeals, StoredRecords } from "./store/frame.ts"
export { decodeFrame, encodeFrame } from "./store/frame-codec.ts"
export { keepBooks } from "./store/keep-books.ts"
export { openStore, type StoreOptions, type StoreParts, storeParts } from "./store/open-store.ts"
export { hashPair, mixPair, type PairSeeds, pairSeeds } from "./store/pair-hash.ts"
export { openProfiles, type Profiles, type TopicCount } from "./store/profiles.ts"
export type { Boundary, OutputPosition, Recovered, StreamStore, WaitingRecords } from "./store/store.ts"
export {
  createSwapper,
  type RecordColumns,
  type SwapMode,
  type Swapper,
  type SwapperOptions,
  type SwapSink,
} from "./swapper.ts"
