export { drawDerangement } from "./derange.ts"
export {
  createSwapper,
  type RecordColumns,
  type SwapMode,
  type Swapper,
  type SwapperOptions,
  type SwapSink,
} from "./swapper.ts"
