export { drawDerangement } from "./derange.ts"
export { type Hold, holdRareTexts } from "./hold-rare.ts"
export { assessRisk, type RiskOptions, type RiskVerdict } from "./live/assess-risk.ts"
export { RecentQuantiles } from "./live/delays.ts"
export type { Quantiles, RiskFigures, StreamFigures } from "./live/figures.ts"
export { RiskWindow } from "./live/risk-window.ts"
export { RiskWatch } from "./live/watch-risk.ts"
export { RecordTable } from "./record-table.ts"
export {
  createSwapper,
  type RecordColumns,
  type SwapMode,
  type Swapper,
  type SwapperOptions,
  type SwapSink,
} from "./swapper.ts"
