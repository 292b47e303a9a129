export { affinity } from "./affinity/affinity.ts"
export {
  type AffinityGraph,
  type AffinityParameters,
  buildAffinityGraph,
  expandLog,
} from "./affinity/affinity-graph.ts"
export { approximateDegree, openNeighbours } from "./affinity/approximate.ts"
export { equality } from "./equality/equality.ts"
export { groupLog } from "./groups/group-log.ts"
export { groups } from "./groups/groups.ts"
export type { Guarantee } from "./guarantee.ts"
export type { Method, MethodResult } from "./method.ts"
export { methods } from "./registry.ts"
export { swap } from "./swap/swap.ts"
export { type Table, tableOf } from "./table.ts"
export { wordnet } from "./wordnet/wordnet.ts"
