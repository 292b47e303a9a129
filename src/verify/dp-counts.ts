import type { SearchLog } from "../log/search-log.ts"

/** What the bounded users add to a key: how many users there are, and how much they add in total. */
export interface BoundedCount {
  users: number
  total: number
  /**
   * True if some user of the key has more keys than count. With a random choice, it is unknown if that user counts for
   * it.
   */
  unsure: boolean
  /** True if it depends on the order of searches of one second. */
  isTied?: boolean
}

/**
 * How searches of one second are ordered: by their lines, or by their texts if the log was a table, which has no lines.
 * A release does not say which.
 */
export type SecondOrder = "line" | "text"

interface BoundOptions {
  table: string
  l0: number
  perKey: number
  /**
   * If set, only this many first searches or clicks count, repeats included, instead of the first `l0` distinct keys.
   */
  searches?: number | undefined
  /** The keys to count. Other keys only take part in the bound. */
  wanted: Iterable<number>
  /** Most minutes between the searches of a transition. If missing, there is no limit. */
  sessionGap?: unknown
  /** The order within a second (default `line`). */
  within?: SecondOrder
  /** If `keep`, repeating the same query is a transition too. */
  repeats?: unknown
}

/** A number for a key of two ids: a query and 0, a query and a url, or two queries. */
export const keyName = (first: number, second: number) => first * 2 ** 26 + second

/**
 * Bounded counts of some keys of one table, by `keyName`. Counts in another way than the method does: it sorts each
 * user's searches by time, line and text, and puts them into a map for that user.
 */
export function countBounded(log: SearchLog, options: BoundOptions): Map<number, BoundedCount> {
  const counts = new Map<number, BoundedCount>()
  for (const key of options.wanted) counts.set(key, { users: 0, total: 0, unsure: false })
  for (let from = 0; from < log.rows; ) {
    let to = from
    while (to < log.rows && log.user[to] === log.user[from]) to++
    if (log.user[from] >= 0) addUser(counts, ownKeys(log, { from, to }, options), options)
    from = to
  }
  return counts
}

function addUser(counts: Map<number, BoundedCount>, keys: number[], options: BoundOptions): void {
  const { l0, perKey, searches = keys.length } = options
  const own = new Map<number, number>()
  for (const key of keys.slice(0, searches)) own.set(key, (own.get(key) ?? 0) + 1)
  let place = 0
  for (const [key, times] of own) {
    const isCounted = place++ < l0
    const count = counts.get(key)
    if (count === undefined) continue
    if (own.size > l0) count.unsure = true
    if (!isCounted) continue
    count.users++
    count.total += Math.min(times, perKey)
  }
}

/** The keys of one user, in the order of their searches. */
function ownKeys(log: SearchLog, { from, to }: { from: number; to: number }, options: BoundOptions): number[] {
  const { table, sessionGap, repeats, within = "line" } = options
  const events = new Map<number, { row: number; line: number; rows: number[] }>()
  for (let row = from; row < to; row++) {
    const event = events.get(log.event[row])
    if (event === undefined) events.set(log.event[row], { row, line: log.line[row], rows: [row] })
    else {
      event.line = Math.min(event.line, log.line[row])
      event.rows.push(row)
    }
  }
  const text = (row: number) => log.queries.text(log.query[row])
  const ordered = [...events.values()].sort((x, y) => {
    const earlier = log.time[x.row] - log.time[y.row] || (within === "line" ? x.line - y.line : 0)
    return earlier || Buffer.compare(Buffer.from(text(x.row)), Buffer.from(text(y.row)))
  })
  if (table === "queries") return ordered.map(({ row }) => keyName(log.query[row], 0))
  if (table === "clicks") {
    const url = (row: number) => log.urls.bytes(log.url[row])
    const byText = (x: number, y: number) => log.rank[x] - log.rank[y] || Buffer.compare(url(x), url(y))
    return ordered.flatMap(({ rows }) => {
      const clicked = rows.filter((row) => log.url[row] >= 0)
      return (within === "line" ? clicked : clicked.sort(byText)).map((row) => keyName(log.query[row], log.url[row]))
    })
  }
  const gap = sessionGap === undefined ? Number.POSITIVE_INFINITY : Number(sessionGap) * 60
  const keys: number[] = []
  for (let i = 1; i < ordered.length; i++) {
    const [last, next] = [ordered[i - 1].row, ordered[i].row]
    const isRepeat = log.query[last] === log.query[next]
    if ((repeats === "keep" || !isRepeat) && log.time[next] - log.time[last] <= gap)
      keys.push(keyName(log.query[last], log.query[next]))
  }
  return keys
}
