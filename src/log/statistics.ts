import type { SearchLog } from "./search-log.ts"

/** Rows, events and distinct users of each query. In a filtered log, a query that nobody issued has zeros. */
export interface QueryCounts {
  rows: Uint32Array
  events: Uint32Array
  users: Uint32Array
}

export function countQueries(log: SearchLog): QueryCounts {
  const size = log.queries.size
  const counts = new Uint32Array(size * 4) // rows, events, users, last user + 1: adjacent because used together
  let last = -1
  for (let row = 0; row < log.rows; row++) {
    const at = log.query[row] * 4
    counts[at]++
    if (log.event[row] === last) continue
    last = log.event[row]
    counts[at + 1]++
    const mark = log.user[row] + 1
    if (counts[at + 3] === mark) continue
    counts[at + 3] = mark
    counts[at + 2]++
  }
  const every = (place: number) => {
    const column = new Uint32Array(size)
    for (let query = 0; query < size; query++) column[query] = counts[query * 4 + place]
    return column
  }
  return { rows: every(0), events: every(1), users: every(2) }
}

/** The size of a log. Counts only users, queries and urls that occur in rows. */
export interface LogSize {
  rows: number
  events: number
  users: number
  queries: number
  urls: number
}

export function measureSize(log: SearchLog, { events }: QueryCounts): LogSize {
  const { rows } = log
  let users = 0
  for (let row = 0; row < rows; row++) {
    if (log.user[row] >= 0 && (row === 0 || log.user[row] !== log.user[row - 1])) users++
  }
  const clicked = new Uint8Array(log.urls.size)
  for (let row = 0; row < rows; row++) if (log.url[row] >= 0) clicked[log.url[row]] = 1
  return { rows, events: log.events, users, queries: countWhere(events, 1), urls: countWhere(clicked, 1) }
}

function countWhere(counts: ArrayLike<number>, least: number): number {
  let found = 0
  for (let i = 0; i < counts.length; i++) if (counts[i] >= least) found++
  return found
}

/** From the first search to the last: UTC in ISO 8601, and days of 24 hours. */
export interface TimeSpan {
  first: string
  last: string
  days: number
}

export function measureSpan({ time }: SearchLog): TimeSpan | null {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (let row = 0; row < time.length; row++) {
    const seconds = time[row]
    if (seconds < first) first = seconds
    if (seconds > last) last = seconds
  }
  if (first > last) return null
  const text = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z")
  return { first: text(first), last: text(last), days: (last - first) / 86400 }
}

/** A part of the distinct queries and of the events, with its share of the total. A share of an empty total is 0. */
export interface Part {
  queries: number
  queryShare: number
  events: number
  eventShare: number
}

/** The queries with one number of words. */
export interface LengthPart extends Part {
  /** Number of words. The last part has this many or more. */
  words: number
  orMore: boolean
}

/**
 * Distinct queries and events by number of words: 1, 2, 3, 4, and 5 or more, as in Table 1 of Carpineto & Romano 2015.
 */
export function measureLengths(offsets: Uint32Array, { events }: QueryCounts): LengthPart[] {
  const longest = 5
  const parts = Array.from({ length: longest }, () => ({ queries: 0, events: 0 }))
  for (let query = 0; query < events.length; query++) {
    const words = offsets[query + 1] - offsets[query]
    if (events[query] === 0 || words === 0) continue
    const part = parts[Math.min(words, longest) - 1]
    part.queries++
    part.events += events[query]
  }
  const shared = withShares(parts, {
    queries: parts.reduce((sum, part) => sum + part.queries, 0),
    events: parts.reduce((sum, part) => sum + part.events, 0),
  })
  return shared.map((part, i) => ({ words: i + 1, orMore: i + 1 === longest, ...part }))
}

/** The queries that fewer than `fewerThan` users issued. */
export interface ExposurePart extends Part {
  fewerThan: number
}

/** The queries that fewer than 2, 5, 10 and 100 distinct users issued. */
export function measureExposure({ events, users }: QueryCounts, total: LogSize): ExposurePart[] {
  const bounds = [2, 5, 10, 100]
  const parts = bounds.map(() => ({ queries: 0, events: 0 }))
  for (let query = 0; query < events.length; query++) {
    if (events[query] === 0) continue
    for (let i = 0; i < bounds.length; i++) {
      if (users[query] >= bounds[i]) continue
      parts[i].queries++
      parts[i].events += events[query]
    }
  }
  return withShares(parts, total).map((part, i) => ({ fewerThan: bounds[i], ...part }))
}

function withShares(
  parts: readonly { queries: number; events: number }[],
  total: { queries: number; events: number },
): Part[] {
  return parts.map(({ queries, events }) => {
    return { queries, queryShare: shareOf(queries, total.queries), events, eventShare: shareOf(events, total.events) }
  })
}

export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

/** The number of users with at least one query that nobody else issued. */
export function countUsersWithUniqueQuery(log: SearchLog, { users }: QueryCounts): number {
  let found = 0
  let last = -1
  for (let row = 0; row < log.rows; row++) {
    if (log.user[row] === last || users[log.query[row]] !== 1) continue
    last = log.user[row]
    found++
  }
  return found
}
