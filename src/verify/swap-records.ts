import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import { firstAtLeast } from "../kernels/search-sorted.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { RowsRelease } from "../release/read-release.ts"
import { fileRow } from "./release-checks.ts"
import { type AlikeSearches, matchAlike } from "./swap-alike.ts"
import { timeCutter } from "./swap-times.ts"
import type { Trail } from "./swap-trail.ts"
import type { Check } from "./verifier.ts"

/** A swapped release and its original. */
export interface SwapSubject {
  release: RowsRelease
  released: SearchLog
  log: SearchLog
}

/** The released searches, in the order of the original. */
export interface Records {
  count: number
  /** A row of the released log. */
  row: Uint32Array
  /** The first row of the search in the original. */
  source: Uint32Array
  /** A row of the original by the user whose name is shown: the first row of its line. */
  donor: Uint32Array
  /**
   * All rows of that line are byLine[donorFrom] … byLine[donorTo - 1]. Some formats have several searches in a line.
   */
  byLine: Uint32Array
  donorFrom: Uint32Array
  donorTo: Uint32Array
  cell: Uint32Array
  /** Number of users who waited. */
  waiting: Uint32Array
}

const rowPromises = {
  searches: "the rows match their lines in the original, each search once and with all its rows",
  rows: "the rows match their lines in the original, each once",
}

/** A stream processes the rows of a search one by one. Some may leave while others wait or are withheld. */
export const rowsPromise = ({ isStream }: { isStream: boolean }) => ({
  name: "rows",
  promise: isStream ? rowPromises.rows : rowPromises.searches,
})

/**
 * Matches released rows to their rows in the original, and those to searches. The records are valid only if the check
 * passed.
 */
export function matchRecords(
  subject: SwapSubject,
  { trail, ownTimes, isStream }: { trail: Trail; ownTimes: boolean; isStream: boolean },
): { records: Records; check: Check } {
  const { release, released, log } = subject
  const about = rowsPromise({ isStream })
  const fails = (row: number, detail: string): { records: Records; check: Check } => {
    return { records: noRecords, check: { ...about, state: "failed", row: fileRow(release, released, row), detail } }
  }
  const rowsOf = indexLines(log)
  const { releasedAt, strange } = matchRows(subject, { trail, ownTimes }, rowsOf)
  if (strange >= 0) return fails(strange, "differs from its line")
  const found = isStream ? shownRows(releasedAt) : findSearches(subject, trail, releasedAt)
  if ("detail" in found) return fails(found.row, found.detail)
  const source = Uint32Array.from(found.starts)
  const row = source.map((start) => releasedAt[start])
  const [donorFrom, donorTo] = [new Uint32Array(row.length), new Uint32Array(row.length)]
  for (let i = 0; i < row.length; i++) {
    const [from, to] = rowsOf.range(trail.userLine[row[i]])
    if (from === to) return fails(row[i], "no such line of a user")
    donorFrom[i] = from
    donorTo[i] = to
  }
  const byLine = rowsOf.order
  const donor = donorFrom.map((at) => byLine[at])
  const [cell, waiting] = [trail.cell, trail.users].map((column) => row.map((at) => column[at]))
  const records = { count: source.length, row, source, donor, byLine, donorFrom, donorTo, cell, waiting }
  return { records, check: { ...about, state: "passed", value: released.rows } }
}

/** In a stream each row is a record of its own. */
function shownRows(releasedAt: Int32Array): { starts: number[] } {
  const starts: number[] = []
  for (let row = 0; row < releasedAt.length; row++) if (releasedAt[row] >= 0) starts.push(row)
  return { starts }
}

/**
 * The first rows in the original of the released searches. A search must have all its rows, shown alike; otherwise the
 * result is a wrong row of the release.
 */
function findSearches(
  { released, log }: SwapSubject,
  trail: Trail,
  releasedAt: Int32Array,
): { starts: number[] } | { row: number; detail: string } {
  const starts: number[] = []
  for (let row = 0, end = 0; row < log.rows; row = end) {
    let shown = 0
    for (end = row; end < log.rows && log.event[end] === log.event[row]; end++) if (releasedAt[end] >= 0) shown++
    if (shown === 0) continue
    const one = releasedAt.subarray(row, end).find((at) => at >= 0) ?? 0
    if (shown < end - row) return { row: one, detail: "a search without all its rows" }
    for (let at = row + 1; at < end; at++) {
      if (!isAlike(released, trail, releasedAt[at], one))
        return { row: releasedAt[at], detail: "a search that was split" }
    }
    starts.push(row)
  }
  return { starts }
}

const none = new Uint32Array(0)
const noRecords: Records = {
  count: 0,
  row: none,
  source: none,
  donor: none,
  byLine: none,
  donorFrom: none,
  donorTo: none,
  cell: none,
  waiting: none,
}

function isAlike(released: SearchLog, trail: Trail, a: number, b: number): boolean {
  const columns = [released.user, released.time, released.category, trail.userLine, trail.cell, trail.users]
  return columns.every((column) => column?.[a] === column?.[b])
}

interface LineIndex {
  order: Uint32Array
  /** The rows of a line are order[from] … order[to - 1]. */
  range(line: number): [from: number, to: number]
}

function indexLines({ line }: SearchLog): LineIndex {
  const order = orderByNumbers([line])
  const sorted = order.map((row) => line[row])
  const range = (wanted: number): [number, number] => {
    const from = firstAtLeast(sorted, wanted)
    let to = from
    while (to < sorted.length && sorted[to] === wanted) to++
    return [from, to]
  }
  return { order, range }
}

/**
 * By row of the original: the released row that matches it, or -1. `strange` is a released row that matches no row of
 * its line. A line may have several rows. Released rows that show a url are matched first. A released row without a url
 * matches a row without one, or with a url that is shown nowhere. If a line has a text several times and records show
 * their own times, the search with the same time matches. Otherwise, whole searches are matched (`matchAlike`).
 */
function matchRows(
  { release, released, log }: SwapSubject,
  { trail, ownTimes }: { trail: Trail; ownTimes: boolean },
  { order, range }: LineIndex,
): { releasedAt: Int32Array; strange: number } {
  const queryOf = idsIn(released.queries, log.queries)
  const urlOf = idsIn(released.urls, log.urls)
  const isShown = new Uint8Array(log.urls.size)
  for (const url of urlOf) if (url >= 0) isShown[url] = 1
  const { urls } = release.manifest.parameters
  const cut = timeCutter(release.manifest.parameters.time)
  const releasedAt = new Int32Array(log.rows).fill(-1)
  const isSame = (row: number, at: number) => {
    if (log.query[at] !== queryOf[released.query[row]]) return false
    if (released.url[row] >= 0) return log.url[at] === urlOf[released.url[row]] && log.rank[at] === released.rank[row]
    return log.url[at] < 0 || (isShown[log.url[at]] === 0 && urls !== "keep")
  }
  const find = (row: number) => {
    const [from, to] = range(trail.queryLine[row])
    let earliest = -1
    for (let i = from; i < to; i++) {
      const at = order[i]
      if (releasedAt[at] >= 0 || !isSame(row, at)) continue
      if (!ownTimes || released.time[row] === cut(log.time[at])) return at
      if (earliest < 0) earliest = at
    }
    return earliest
  }
  /** The rows of a released row's line that have its text, by search. Rows of a search are adjacent. */
  const searchesOf = (row: number): number[][] => {
    const [from, to] = range(trail.queryLine[row])
    const query = queryOf[released.query[row]]
    const searches: number[][] = []
    for (const at of order.subarray(from, to)) {
      if (log.query[at] !== query) continue
      const last = searches.at(-1)
      if (last !== undefined && log.event[last[0]] === log.event[at]) last.push(at)
      else searches.push([at])
    }
    return searches.sort((a, b) => log.time[a[0]] - log.time[b[0]])
  }
  const hasSeveral = (row: number) => {
    const [from, to] = range(trail.queryLine[row])
    return to - from > 1 && log.event[order[from]] !== log.event[order[to - 1]] && searchesOf(row).length > 1
  }
  const alike = new Map<string, AlikeSearches>()
  const hidesUrl = Uint32Array.from(released.url, (url) => (url < 0 ? 1 : 0))
  const time = Uint32Array.from(released.time, (seconds) => seconds ^ 0x80000000) // before 1970 comes first
  for (const row of orderByNumbers([hidesUrl, time, trail.cell])) {
    if (!ownTimes && hasSeveral(row)) {
      const key = `${trail.queryLine[row]} ${released.query[row]}`
      const several = alike.get(key) ?? { groups: [], searches: searchesOf(row), isSame }
      alike.set(key, several)
      const left = several.groups.find(([one]) => isAlike(released, trail, one, row))
      if (left === undefined) several.groups.push([row])
      else left.push(row)
      continue
    }
    const at = find(row)
    if (at < 0) return { releasedAt, strange: row }
    releasedAt[at] = row
  }
  for (const { groups, ...rest } of alike.values()) {
    groups.sort(([a], [b]) => released.time[a] - released.time[b] || trail.cell[a] - trail.cell[b])
    const pairs = matchAlike({ groups, ...rest })
    if (pairs === undefined) return { releasedAt, strange: groups[0][0] }
    for (const [at, row] of pairs) releasedAt[at] = row
  }
  return { releasedAt, strange: -1 }
}

const idsIn = (texts: SearchLog["queries"], others: SearchLog["queries"]) =>
  Int32Array.from({ length: texts.size }, (_, id) => others.findBytes(texts.bytes(id)))
