import type { RelevantTopic, TopicSearcher, TopicsFound } from "../taxonomy/classify/topic-searcher.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { type RelevantTopics, relevantTopics } from "./relevant-topics.ts"

/** T(q) with rel(t, q), and how it was found. */
export interface QueryMapping extends Pick<TopicsFound, "by" | "pages"> {
  /** None is below another. In taxonomy order. */
  readonly relevances: readonly (readonly [topic: number, relevance: number])[]
}

/** T(q), the relevant set of a query: Shou et al. 2014, Online-1 and §6.3. */
export function mapQuery(searcher: TopicSearcher, query: string): RelevantTopics {
  return relevantTopics(searcher.taxonomy, findRelevant(searcher, query).relevances)
}

/**
 * The same, with the relevances as found. A topic without public support is left out, because its IC would be infinite.
 */
export function findRelevant({ taxonomy, findTopics }: TopicSearcher, query: string): QueryMapping {
  const { by, pages, topics } = findTopics(query)
  const found = topics.filter(({ topic }) => (taxonomy.support[topic] ?? 0) > 0)
  return { by, pages, relevances: dropOverlaps(taxonomy, found).sort(([a], [b]) => a - b) }
}

/**
 * Topics of which none is below another, as T(q) requires. Of two that overlap, the more relevant stays. A topic below
 * it adds its relevance, because its documents belong to both. A topic above it is left out.
 */
export function dropOverlaps(
  { end }: Pick<Taxonomy, "end">,
  found: readonly RelevantTopic[],
): [topic: number, relevance: number][] {
  const ranked = [...found].sort((a, b) => b.relevance - a.relevance || a.topic - b.topic)
  const kept = new Map<number, number>()
  for (const { topic, relevance } of ranked) {
    const above = [...kept.keys()].find((other) => other <= topic && topic < end[other])
    if (above !== undefined) kept.set(above, (kept.get(above) ?? 0) + relevance)
    else if (![...kept.keys()].some((other) => topic < other && other < end[topic])) kept.set(topic, relevance)
  }
  return [...kept]
}
