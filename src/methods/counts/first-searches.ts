import type { SearchLog } from "../../log/search-log.ts"
import { PairCounts } from "./bound-users.ts"
import { type History, histories } from "./histories.ts"
import { isTransition, type TransitionRule } from "./transition-rule.ts"

/** Counts of each user's first searches and first clicks. Every one of them counts, repeats included. */
export interface FirstCounts {
  /** By query: users who have it among their first searches, and the number of these searches. */
  users: Uint32Array
  total: Float64Array
  clicks: PairCounts
  transitions: PairCounts
}

/**
 * Counts the first searches and the first clicks of each user (Korolova et al. 2009, step 1; Zhang, Yang & Singh 2016,
 * step 2). One user changes all counts of queries together by at most `queries`, those of clicks by at most `clicks`,
 * and those of transitions by at most `queries` − 1. What a user adds depends on that user's rows alone.
 */
export function countFirst(
  log: SearchLog,
  { queries, clicks, rule }: { queries: number; clicks: number; rule: TransitionRule },
): FirstCounts {
  const counts: FirstCounts = {
    users: new Uint32Array(log.queries.size),
    total: new Float64Array(log.queries.size),
    clicks: new PairCounts(),
    transitions: new PairCounts(),
  }
  const lastUser = new Int32Array(log.queries.size).fill(-1)
  for (const history of histories(log)) {
    const { events, size, user } = history
    for (let i = 0; i < Math.min(size, queries); i++) {
      const query = log.query[events[i]]
      counts.total[query]++
      if (lastUser[query] !== user) counts.users[query]++
      lastUser[query] = user
      if (i > 0 && isTransition(log, { last: events[i - 1], next: events[i] }, rule))
        counts.transitions.add(log.query[events[i - 1]], query, 1)
    }
    for (const row of firstClicks(log, history, clicks)) counts.clicks.add(log.query[row], log.url[row], 1)
  }
  return counts
}

function* firstClicks(log: SearchLog, { events, size }: History, most: number): Generator<number> {
  let clicks = 0
  for (let i = 0; i < size; i++) {
    const event = log.event[events[i]]
    for (let row = events[i]; row < log.rows && log.event[row] === event; row++) {
      if (log.url[row] < 0) continue
      if (clicks++ === most) return
      yield row
    }
  }
}
