import type { RelevantTopic, TopicSearcher } from "../taxonomy/classify/topic-searcher.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { type RelevantTopics, relevantTopics } from "./relevant-topics.ts"

/** T(q), the relevant set of a query: Shou et al. 2014, Online-1 and §6.3. */
export function mapQuery(searcher: TopicSearcher, query: string): RelevantTopics {
  const { taxonomy } = searcher
  const found = searcher.relevantTopics(query).filter(({ topic }) => (taxonomy.support[topic] ?? 0) > 0)
  return relevantTopics(taxonomy, dropOverlaps(taxonomy, found))
}

/**
 * Topics of which none lies below another, as T(q) must be. Of two that overlap, the more relevant stays; a topic below it
 * adds its relevance, since its documents are the other's too; a topic above it is left out.
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
