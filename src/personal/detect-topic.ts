import type { TopicSearcher } from "../taxonomy/classify/topic-searcher.ts"
import { contextWorth } from "../taxonomy/classify/weigh-senses.ts"

/** A document of a person: a clicked result with its query, a page with its title, or a search by itself. */
export interface PersonalDocument {
  /** What retrieves the topics that come into question; the beginning of the text where there is none. */
  query?: string
  /** What decides between them: title, address, words of the page. */
  text: string
  /** UTC seconds. */
  time: number
}

/**
 * The topic of a document, or -1: of the topics that its query retrieves, the one with the largest naive Bayes score.
 * Shou et al. 2014, eq. 18: its denominator is the same for all t ∈ T(q), so that only Σ N_{d,w} ln (N_{t,w} + ε) decides.
 * Departures: N_{t,w} are shares of their topic's words (see `senseWeigher`), and how relevant the query finds a topic is
 * the prior that the paper leaves out. Ties: the smaller path.
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
