import type { Search } from "../support/aol-log.ts"

/** What one user adds to each key of one table, by hand. A key of two texts is joined by a tab. */
export type Contribution = Map<string, number>

export interface HandBound {
  most: number
  perKey: number
}

/** One search by hand, with its clicks in order of rank. */
export interface HandEvent {
  query: string
  time: string
  clicks: { url: string; rank: number; line: number }[]
}

/** The searches of one user in the order in which they were made. */
export function eventsOfHistory(searches: readonly Search[]): HandEvent[] {
  const ordered = searches
    .map((search, line) => ({ ...search, query: search.query.toLowerCase(), line }))
    .sort((x, y) => (x.time < y.time ? -1 : x.time > y.time ? 1 : x.line - y.line))
  const events: HandEvent[] = []
  for (const { query, time, url, rank, line } of ordered) {
    const known = events.find((event) => event.query === query && event.time === time)
    const event = known ?? { query, time, clicks: [] }
    if (known === undefined) events.push(event)
    if (url !== undefined) event.clicks.push({ url, rank: rank ?? 65535, line })
  }
  for (const { clicks } of events) clicks.sort((x, y) => x.rank - y.rank || x.line - y.line)
  return events
}

/** The keys of one user's history in order of occurrence, with repetitions. */
export function keysOfHistory(searches: readonly Search[], table: string, gapSeconds: number): string[] {
  const events = eventsOfHistory(searches)
  if (table === "queries") return events.map(({ query }) => query)
  if (table === "clicks") return events.flatMap(({ query, clicks }) => clicks.map(({ url }) => `${query}\t${url}`))
  return events.slice(1).flatMap(({ query, time }, i) => {
    const last = events[i]
    const near = Date.parse(`${time}Z`) - Date.parse(`${last?.time}Z`) <= gapSeconds * 1000
    return near && last?.query !== query ? [`${last?.query}\t${query}`] : []
  })
}

/** Under `first`: the first keys, each counted at most `perKey` times. */
export function boundByHand(keys: readonly string[], { most, perKey }: HandBound): Contribution {
  const kept = [...new Set(keys)].slice(0, most)
  return new Map(kept.map((key) => [key, Math.min(perKey, keys.filter((other) => other === key).length)]))
}
