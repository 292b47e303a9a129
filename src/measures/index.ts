export * from "./registry.ts"
export { type Comparison, compareSides, type Sides } from "./retrieval/compare-systems.ts"
export { compareRetrieval, crossValidate } from "./retrieval/cross-validate.ts"
export { type DrawOptions, type FoldTests, gatherTests } from "./retrieval/fold-tests.ts"
export {
  judgeSystem,
  type KeepLines,
  type Ranker,
  type RankingOptions,
  rankers,
  type System,
  type TopicValues,
  type Training,
  trainOn,
} from "./retrieval/judge-system.ts"
export { type RetrievalOptions, retrievalOptions } from "./retrieval/options.ts"
export { type ClickEdges, edgesOfRows, edgesOfTables, type RowChoice } from "./shown/click-edges.ts"
export { removerOf } from "./shown/leave-out.ts"
export { edgesOfRelease } from "./shown/release-edges.ts"
