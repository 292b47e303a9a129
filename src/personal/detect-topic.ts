import type { TopicSearcher } from "../taxonomy/classify/topic-searcher.ts"
import { contextWorth } from "../taxonomy/classify/weigh-senses.ts"

/** A document of a person: a clicked result with its query, a page with its title, or a search on its own. */
export interface PersonalDocument {
  /** Retrieves the candidate topics. Without a query, the text retrieves them. */
  query?: string
  /** Decides between the candidates: title, address, words of the page. */
  text: string
  /** UTC seconds. */
  time: number
}

/**
 * The topic of a document, or -1: the topic with the largest naive Bayes score among those that its query retrieves.
 * Shou et al. 2014, eq. 18. Its denominator is the same for all t ∈ T(q), so only Σ N_{d,w} ln (N_{t,w} + ε) decides.
 *
 * Deviations: N_{t,w} is a share of the topic's words (see `senseWeigher`), and the query's relevance for a topic is
 * used as a prior, which the paper leaves out. Ties: the smaller path.
 */
export function detectTopic(searcher: TopicSearcher, { query, text }: Omit<PersonalDocument, "time">): number {
  const words = searcher.wordsOf(text)
  let best = -1
  let bestScore = Number.NEGATIVE_INFINITY
  for (const { topic, relevance } of searcher.findTopics(query ?? text).topics) {
    const score = Math.log(relevance) + contextWorth * searcher.likelihood(topic, words)
    if (score > bestScore || (score === bestScore && topic < best)) {
      best = topic
      bestScore = score
    }
  }
  return best
}
