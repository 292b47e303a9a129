/**
 * Personal search on the searcher's own machine: a profile that is never shown whole, and what of it a query exposes.
 *
 * @packageDocumentation
 */
export { sensitiveTopics } from "./personal/cost-layer.ts"
export { builtIn } from "./personal/engines/built-in.ts"
export { parseEngine } from "./personal/engines/parse-engine.ts"
export { readHistory } from "./personal/import/read-history.ts"
export { learnDocuments } from "./personal/learn.ts"
export { neverTopics } from "./personal/never-topics.ts"
export { PersonalSearch } from "./personal/personal-search.ts"
export { emptyStore, forgetDay, forgetTopic, markNever, markSensitive } from "./personal/personal-store.ts"
export { ProfileFile } from "./personal/profile-file.ts"
export { proposeSensitive } from "./personal/propose-sensitive.ts"
export { PersonalProxy } from "./personal/proxy/personal-proxy.ts"
export { readDocuments } from "./personal/read-documents.ts"
export { openPersonal } from "./server/personal/personal-server.ts"
export { topicSearcher } from "./taxonomy/classify/topic-searcher.ts"
export { openTaxonomy } from "./taxonomy/open-taxonomy.ts"
