export { affinity } from "./affinity/affinity.ts"
export {
  type AffinityGraph,
  type AffinityParameters,
  buildAffinityGraph,
  type ExpandedLog,
  expandLog,
} from "./affinity/affinity-graph.ts"
export { type ApproximateDegree, approximateDegree, type Neighbours, openNeighbours } from "./affinity/approximate.ts"
export type { ExpandedQueries } from "./affinity/expand-queries.ts"
export type { Concepts } from "./affinity/mine-concepts.ts"
export { affinityOptions } from "./affinity/options.ts"
export type { KeyCounts } from "./counts/bound-users.ts"
export { counts, countsWith } from "./counts/counts.ts"
export { optimalSelection } from "./counts/optimal-selection.ts"
export { type CountsParts, shippedParts } from "./counts/parts.ts"
export type { Mechanism, Plan } from "./counts/plan-mechanisms.ts"
export type { CreateNoise, Noise } from "./counts/select-keys.ts"
export { laplaceThreshold, type ThresholdOptions, truncation } from "./counts/thresholds.ts"
export type { KeyBound } from "./counts/user-keys.ts"
export { type DpGuarantee, dpGuaranteeSchema } from "./dp-guarantee.ts"
export { equality, equalityOptions } from "./equality/equality.ts"
export { type GroupedLog, groupLog } from "./groups/group-log.ts"
export { groups } from "./groups/groups.ts"
export type { Cells } from "./groups/number-cells.ts"
export { groupsOptions } from "./groups/options.ts"
export { type Guarantee, guaranteeSchema } from "./guarantee.ts"
export type { Method, MethodResult, Preview } from "./method.ts"
export { methods, type TablesMethod } from "./registry.ts"
export { swapOptions } from "./swap/options.ts"
export { swap } from "./swap/swap.ts"
export { type ColumnTable, type Table, type TableColumn, tableOf, tableOfColumns } from "./table.ts"
export { wordnetOptions } from "./wordnet/options.ts"
export { wordnet } from "./wordnet/wordnet.ts"
