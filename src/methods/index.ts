export { affinity } from "./affinity/affinity.ts"
export {
  type AffinityGraph,
  type AffinityParameters,
  buildAffinityGraph,
  expandLog,
} from "./affinity/affinity-graph.ts"
export { approximateDegree, openNeighbours } from "./affinity/approximate.ts"
export { counts, countsWith } from "./counts/counts.ts"
export { optimalSelection } from "./counts/optimal-selection.ts"
export { type CountsParts, shippedParts } from "./counts/parts.ts"
export { laplaceThreshold, truncation } from "./counts/thresholds.ts"
export type { DpGuarantee } from "./dp-guarantee.ts"
export { equality } from "./equality/equality.ts"
export { groupLog } from "./groups/group-log.ts"
export { groups } from "./groups/groups.ts"
export type { Guarantee } from "./guarantee.ts"
export type { Method, MethodResult, Preview } from "./method.ts"
export { methods } from "./registry.ts"
export { swap } from "./swap/swap.ts"
export { type ColumnTable, type Table, type TableColumn, tableOf, tableOfColumns } from "./table.ts"
export { wordnet } from "./wordnet/wordnet.ts"
