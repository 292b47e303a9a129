export { drawDerangement } from "./derange.ts"
export { type Hold, holdRareTexts } from "./hold-rare.ts"
export { RecordTable } from "./record-table.ts"
export {
  createSwapper,
  type RecordColumns,
  type SwapMode,
  type Swapper,
  type SwapperOptions,
  type SwapSink,
} from "./swapper.ts"
