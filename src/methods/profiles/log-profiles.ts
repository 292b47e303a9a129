import type { RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { cutTopics, findTopics } from "../../swapper/categories.ts"
import { openClassifier } from "../../taxonomy/classify/open-classifier.ts"
import { openTaxonomy } from "../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { ProfilesOptions } from "./options.ts"
import { countUserTopics, type UserTopics } from "./topic-counts.ts"

/** The topics of a log's users, and how they were assigned. */
export interface LogProfiles {
  taxonomy: Taxonomy
  /** By query: its topic, or -1. */
  topicOf: Int32Array
  /** By topic: the topic that it counts for. */
  cut: Int32Array
  topics: UserTopics
}

export async function openLogProfiles(
  log: SearchLog,
  options: Pick<ProfilesOptions, "taxonomy" | "classifier" | "sensitiveCategories" | "depth">,
  context: RunContext,
): Promise<LogProfiles> {
  const { sensitiveCategories = "", depth } = options
  const taxonomy = await openTaxonomy(options.taxonomy, {}, context)
  const classifier = await openClassifier(options.classifier, { taxonomy }, context)
  const topicOf = await classifier.classify(log.queries, context)
  const cut = cutTopics(taxonomy, { depth, sensitive: findTopics(taxonomy, sensitiveCategories) })
  return { taxonomy, topicOf, cut, topics: countUserTopics(log, { topicOf, cut }) }
}
