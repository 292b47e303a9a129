/**
 * Personal search on the searcher's own machine: a profile that is never shown whole, and the part of it that goes with
 * a query.
 *
 * @packageDocumentation
 */
import { lazily } from "./kernels/lazily.ts"

export { type SensitiveTopics, sensitiveTopics } from "./personal/cost-layer.ts"
export type { PersonalDocument } from "./personal/detect-topic.ts"
export type { BuiltInOptions } from "./personal/engines/built-in.ts"
export type { EngineResult, SearchEngine, SearchOptions } from "./personal/engines/engine.ts"
export { type EngineAddress, parseEngine } from "./personal/engines/parse-engine.ts"
export type { Decision, Outcome } from "./personal/expose-profile.ts"
export type { Exposure, Kept } from "./personal/exposure.ts"
export type { Generalisation, Metrics } from "./personal/generalise.ts"
export type { Interests } from "./personal/interests.ts"
export type { Learned } from "./personal/learn.ts"
export { type NeverTopics, neverTopics } from "./personal/never-topics.ts"
export { type Asked, type AskOptions, PersonalSearch } from "./personal/personal-search.ts"
export {
  emptyStore,
  forgetDay,
  forgetTopic,
  markNever,
  markSensitive,
  type PersonalStore,
  type Settings,
} from "./personal/personal-store.ts"
export { ProfileFile } from "./personal/profile-file.ts"
export { type Proposal, proposeSensitive } from "./personal/propose-sensitive.ts"
export type { AboutTopic, Exposed, Held, Result, SearchAnswer, SeedTopic } from "./personal/proxy/answers.ts"
export type { Choices } from "./personal/proxy/choices.ts"
export {
  type FindOptions,
  PersonalProxy,
  type ProxyOptions,
  type StoreKeeper,
} from "./personal/proxy/personal-proxy.ts"
export type { SeedProfile } from "./personal/seed-profile.ts"
export type { LocalServer } from "./server/frame/listen-locally.ts"
export type { PersonalServerOptions } from "./server/personal/personal-server.ts"
export {
  type RelevantTopic,
  type TopicSearcher,
  type TopicsFound,
  topicSearcher,
} from "./taxonomy/classify/topic-searcher.ts"

// The functions below are loaded on first call; docs/ARCHITECTURE.md says why.

/** Opens a taxonomy: `wordnet`, a file written by `taxonomy import`, or any file that `taxonomy import` reads. */
export const openTaxonomy = lazily(() => import("./taxonomy/open-taxonomy.ts"), "openTaxonomy")

/** Reads a person's searches and pages: a browser's history, Google Takeout, a CSV, or lines of JSON. */
export const readHistory = lazily(() => import("./personal/import/read-history.ts"), "readHistory")

/** Adds documents to the interests of a person. */
export const learnDocuments = lazily(() => import("./personal/learn.ts"), "learnDocuments")

/** The search engine that comes with the package: it finds topics by their glosses. */
export const builtInEngine = lazily(() => import("./personal/engines/built-in.ts"), "builtIn")

/** Serves the proxy and its page on this machine. */
export const openPersonal = lazily(() => import("./server/personal/personal-server.ts"), "openPersonal")
