export { clusterNumbers } from "./cluster-numbers.ts"
export { type CostLayer, costLayer, type SensitiveTopics, sensitiveTopics } from "./cost-layer.ts"
export { detectTopic, type PersonalDocument } from "./detect-topic.ts"
export { type BuiltInOptions, builtIn, builtInName, wordNetLink } from "./engines/built-in.ts"
export type { EngineResult, SearchEngine, SearchOptions } from "./engines/engine.ts"
export { openGlossIndex } from "./engines/gloss-cache.ts"
export { buildGlossIndex, type GlossColumns, glossSearcher } from "./engines/gloss-index.ts"
export { parseEngine } from "./engines/parse-engine.ts"
export { plainText, safeUrl } from "./engines/plain-text.ts"
export {
  type Decision,
  type DecisionRule,
  decisionRules,
  type ExposeOptions,
  exposeProfile,
  type LifetimeLimit,
  markShown,
  type Outcome,
} from "./expose-profile.ts"
export { type Exposure, exposureOf, type Kept } from "./exposure.ts"
export {
  copyLayer,
  ExposureHistory,
  type ExposureRecord,
  type LayerCopy,
  layerId,
  type RelevantThen,
} from "./exposure-history.ts"
export { forbidSensitive } from "./forbid-sensitive.ts"
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
export { readHistory } from "./import/read-history.ts"
export { dayOf, Interests } from "./interests.ts"
export { documentsOf, type Learned, learnDocuments, wordsOfUrl } from "./learn.ts"
export { type LifetimeCosts, lifetimeCosts } from "./lifetime-costs.ts"
export { dropOverlaps, findRelevant, mapQuery, type QueryMapping } from "./map-query.ts"
export {
  type Denominator,
  denominators,
  discriminatingPower,
  powerWithoutProfile,
  profileGranularity,
  topicSimilarity,
} from "./metrics.ts"
export { hasNever, isNever, type NeverTopics, neverTopics, profileWithout } from "./never-topics.ts"
export { ObserverAccounts } from "./observer-accounts.ts"
export { optimal } from "./optimal.ts"
export { isPathBefore } from "./path-order.ts"
export { pathValues } from "./path-values.ts"
export {
  type Asked,
  type AskOptions,
  PersonalSearch,
  type SensitiveQueryMode,
  sensitiveQueryModes,
  standardLifetimeDelta,
} from "./personal-search.ts"
export {
  emptyStore,
  forgetDay,
  forgetTopic,
  markNever,
  markSensitive,
  type PersonalStore,
  type Settings,
} from "./personal-store.ts"
export { isEmpty, type Profile, profileFrom } from "./profile.ts"
export { ProfileFile } from "./profile-file.ts"
export { type Proposal, proposeSensitive } from "./propose-sensitive.ts"
export type { AboutTopic, Exposed, Found, Held, Result, SeedTopic } from "./proxy/answers.ts"
export { type Choices, readChoices, standardChoices } from "./proxy/choices.ts"
export { describeExposed, floorOf } from "./proxy/exposed.ts"
export { type LearnedNow, Learning } from "./proxy/learning.ts"
export {
  type FindOptions,
  PersonalProxy,
  type ProxyOptions,
  type StoreKeeper,
} from "./proxy/personal-proxy.ts"
export { type QueryClass, queryClass, queryClassBounds } from "./query-classes.ts"
export { averagePrecision, fuseBorda, rerank, topicsOfTexts, upRank, uscores } from "./rank.ts"
export { readDocuments } from "./read-documents.ts"
export { markedInQuery, type RelevantTopics, relevantTopics, shareInQuery } from "./relevant-topics.ts"
export {
  exposureRisk,
  type RiskLimit,
  type RiskModel,
  riskOf,
  riskOfShown,
  sessionRisk,
  type ToldByQueries,
} from "./risk.ts"
export { newKey, type ScryptCost, type SealKey, seal, unseal, usualCost } from "./seal.ts"
export { type SeedProfile, seedProfile } from "./seed-profile.ts"
export { type ShownInFull, shownInFull } from "./shown-in-full.ts"
export { decodeStore, encodeStore } from "./store-json.ts"
export { taxonomyStamp } from "./taxonomy-stamp.ts"
export { informationContent, nodeOf, pathOf, type TopicTree, trieOf } from "./topic-tree.ts"
export { generaliseTree } from "./tree/generalise-tree.ts"
export type { TreeOptions } from "./tree/solve-tree.ts"
