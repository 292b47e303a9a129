export { clusterNumbers } from "./cluster-numbers.ts"
export { type CostLayer, costLayer, type SensitiveTopics, sensitiveTopics } from "./cost-layer.ts"
export { type Decision, type ExposeOptions, exposeProfile, markShown, type Outcome } from "./expose-profile.ts"
export { type Exposure, exposureOf, type Kept } from "./exposure.ts"
export {
  type Generalisation,
  type Generaliser,
  type Metrics,
  metricsOf,
  type Step,
  stepsOf,
} from "./generalise.ts"
export { type Algorithm, algorithms, generalisers } from "./generalisers.ts"
export { greedyDp } from "./greedy-dp.ts"
export { greedyIl } from "./greedy-il.ts"
export { discriminatingPower, powerWithoutProfile, profileGranularity, topicSimilarity } from "./metrics.ts"
export { optimal } from "./optimal.ts"
export { isPathBefore } from "./path-order.ts"
export { pathValues } from "./path-values.ts"
export { isEmpty, type Profile, profileFrom } from "./profile.ts"
export { type QueryClass, queryClass, queryClassBounds } from "./query-classes.ts"
export { type RelevantTopics, relevantTopics, sensitiveInQuery } from "./relevant-topics.ts"
export { exposureRisk, type RiskLimit, type RiskModel, riskOf, riskOfShown, sessionRisk } from "./risk.ts"
export { type SeedProfile, seedProfile } from "./seed-profile.ts"
export { informationContent, nodeOf, pathOf, type TopicTree, trieOf } from "./topic-tree.ts"
export { generaliseTree } from "./tree/generalise-tree.ts"
