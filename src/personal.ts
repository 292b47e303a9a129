/**
 * Personal search on the searcher's own machine: a profile that is never shown whole, and what of it a query exposes.
 *
 * @packageDocumentation
 */
import { lazily } from "./kernels/lazily.ts"

export { sensitiveTopics } from "./personal/cost-layer.ts"
export { parseEngine } from "./personal/engines/parse-engine.ts"
export { neverTopics } from "./personal/never-topics.ts"
export { PersonalSearch } from "./personal/personal-search.ts"
export { emptyStore, forgetDay, forgetTopic, markNever, markSensitive } from "./personal/personal-store.ts"
export { ProfileFile } from "./personal/profile-file.ts"
export { proposeSensitive } from "./personal/propose-sensitive.ts"
export { PersonalProxy } from "./personal/proxy/personal-proxy.ts"
export { topicSearcher } from "./taxonomy/classify/topic-searcher.ts"

// What follows is loaded when it is first called: docs/ARCHITECTURE.md says why.

/** Opens a taxonomy: `wordnet`, a file that `taxonomy import` wrote, or any file that it reads. */
export const openTaxonomy = lazily(() => import("./taxonomy/open-taxonomy.ts"), "openTaxonomy")

/** Reads a person's searches and pages: a browser's history, Google Takeout, a CSV, or lines of JSON. */
export const readHistory = lazily(() => import("./personal/import/read-history.ts"), "readHistory")

/** Adds documents to the interests of a person. */
export const learnDocuments = lazily(() => import("./personal/learn.ts"), "learnDocuments")

/** The search engine that comes with the package: it finds topics by their glosses. */
export const builtInEngine = lazily(() => import("./personal/engines/built-in.ts"), "builtIn")

/** Serves a proxy and its page on this machine. */
export const openPersonal = lazily(() => import("./server/personal/personal-server.ts"), "openPersonal")
