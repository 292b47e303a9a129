import { createContext, type RunContext } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { ClassifiedLog } from "../release/write-classified.ts"
import { type Coverage, measureCoverage } from "../taxonomy/classify/coverage.ts"
import { openClassifier } from "../taxonomy/classify/open-classifier.ts"
import { openTaxonomy } from "../taxonomy/open-taxonomy.ts"

/** What finds the topics of queries, and among which topics. */
export interface ClassifyOptions {
  /** A file of topics; WordNet's nouns (`wordnet`) by default. */
  taxonomy?: string | undefined
  /** A lexicon of `classify train`, a file of query and path, or the address of a service, which then reads the queries. */
  classifier?: string | undefined
  /** A folder that keeps WordNet, so that it opens faster. */
  cache?: string | undefined
  /** Called when query text is going to leave this process. */
  warn?: (text: string) => void
}

/** A log, the topic of each of its queries, and how much of the log has one. */
export interface ClassifyOutcome extends ClassifiedLog {
  coverage: Coverage
}

/** Finds the topic of every query of a log. The log may be a function that reads it, called once the topics are open. */
export async function classify(
  given: SearchLog | (() => Promise<SearchLog>),
  options: ClassifyOptions = {},
  context: RunContext = createContext(),
): Promise<ClassifyOutcome> {
  const { cache, warn } = options
  const topics = await openTaxonomy(options.taxonomy, cache === undefined ? {} : { cache }, context)
  const classifier = await openClassifier(options.classifier, { taxonomy: topics, ...(warn && { warn }) }, context)
  const log = typeof given === "function" ? await given() : given
  const topicOf = await classifier.classify(log.queries, context)
  const { taxonomy } = classifier
  return { log, topicOf, taxonomy, coverage: measureCoverage(log, topicOf, taxonomy) }
}
