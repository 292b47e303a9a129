import { type RunContext, yieldAndReport } from "../../../kernels/context.ts"
import type { SearchLog } from "../../../log/search-log.ts"
import type { TokenisedQueries } from "../../../text/tokens.ts"
import type { LexiconKeys } from "./lexicon-keys.ts"
import { PairCounts } from "./pair-counts.ts"
import type { UrlTopics } from "./url-topics.ts"

/** Weights of the sources of evidence: a click on a url with a known topic, and the previous or next search. */
const weights = { click: 1, neighbour: 0.3 } as const
const slice = 1 << 20

export interface EvidenceSources {
  tokens: TokenisedQueries
  keys: LexiconKeys
  /** Topic of each query, -1 for none. */
  topicOf: Int32Array
  urls: UrlTopics
  /** Seconds between searches that end a session. */
  idle: number
}

/**
 * Evidence that a word leads to a topic, over all events. It comes from the topics of the clicked urls, without the
 * vote of this click itself, and from the previous and next searches in the session, including refinements. The query's
 * own class is not evidence: it would only confirm itself.
 */
export async function gatherEvidence(
  log: SearchLog,
  { tokens, keys, topicOf, urls, idle }: EvidenceSources,
  context: RunContext,
): Promise<PairCounts> {
  const counts = new PairCounts()
  const teach = (query: number, topic: number, evidence: { weight: number; user: number }) => {
    for (let i = tokens.offsets[query]; i < tokens.offsets[query + 1]; i++) {
      const key = keys.keyOf[tokens.tokens[i]]
      if (key >= 0) counts.add(key, topic, evidence)
    }
  }
  /** Two events in a row of one session teach each other's topics. */
  const teachNeighbours = (before: number, row: number) => {
    const [query, user] = [log.query[row], log.user[row]]
    const isNeighbour = before >= 0 && log.user[before] === user && log.time[row] - log.time[before] <= idle
    if (!isNeighbour || log.query[before] === query) return
    const [own, other] = [topicOf[query], topicOf[log.query[before]]]
    if (other >= 0) teach(query, other, { weight: weights.neighbour, user })
    if (own >= 0) teach(log.query[before], own, { weight: weights.neighbour, user })
  }
  /**
   * A click teaches the topics of its url. Votes are squared: a url is mostly about one topic, and the other votes come
   * from misread queries.
   */
  const teachClick = (row: number) => {
    const [query, user, url] = [log.query[row], log.user[row], log.url[row]]
    const votesAt = (i: number) => urls.votes[i] - (urls.topics[i] === topicOf[query] ? 1 : 0)
    let total = 0
    for (let i = urls.offsets[url]; i < urls.offsets[url + 1]; i++) total += votesAt(i) ** 2
    if (total === 0) return
    for (let i = urls.offsets[url]; i < urls.offsets[url + 1]; i++) {
      const votes = votesAt(i)
      if (votes > 0) teach(query, urls.topics[i], { weight: (weights.click * votes ** 2) / total, user })
    }
  }
  let before = -1 // the first row of the previous event
  let first = 0
  for (let row = 0; row < log.rows; row++) {
    if (row % slice === 0) await yieldAndReport(context, { stage: "learning words", done: row, total: log.rows })
    const isNew = row === 0 || log.event[row] !== log.event[row - 1]
    if (isNew) {
      before = row === 0 ? -1 : first
      first = row
      teachNeighbours(before, row)
    }
    if (log.url[row] >= 0) teachClick(row)
  }
  return counts
}
