import { orderByKey } from "../kernels/sort-segments.ts"
import { reasonCode } from "./formats/parsed-block.ts"
import type { LogColumns } from "./search-log.ts"

/** The rows to keep, ascending, and the lines that turned out not to be rows. */
export interface JoinedRows {
  keep: Uint32Array
  rejected: { line: Uint32Array; reason: Uint8Array }
  /** Number of searches that had been logged before. */
  repeated: number
}

/**
 * Joins what happened after a search to the search with the same key. A row with a query is a search. A row without one
 * is an event. An event with a url is a click and becomes a row of its search. An event may also name the user of the
 * search.
 *
 * Searches with the same key, user and text are one search that was logged several times; its first time counts. A
 * click belongs to the last search of its key at or before the click, or else to the first. If a search was clicked,
 * only its click rows are kept.
 *
 * Changes user, query and time in place. Rows with the last key, `keys - 1`, have no key and stay as they are.
 */
export function joinClicks(columns: LogColumns, key: Int32Array, { keys }: { keys: number }): JoinedRows {
  const order = orderByKey(key, keys)
  const outcome: Outcome = { kept: new Uint8Array(key.length), rejectLine: [], rejectReason: [], repeated: 0 }
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && key[order[to]] === key[order[from]]) to++
    const group = order.subarray(from, to)
    if (key[order[from]] < keys - 1) joinGroup(group, columns, outcome)
    else for (const row of group) outcome.kept[row] = 1
  }
  const { kept, rejectLine, rejectReason, repeated } = outcome
  const rejected = { line: Uint32Array.from(rejectLine), reason: Uint8Array.from(rejectReason) }
  return { keep: rowsOf(kept), rejected, repeated }
}

/** What has happened to the rows so far. */
interface Outcome {
  kept: Uint8Array
  rejectLine: number[]
  rejectReason: number[]
  repeated: number
}

/** Joins the rows of one key. */
function joinGroup(group: Uint32Array, columns: LogColumns, outcome: Outcome): void {
  const { user, query, time, url, line } = columns
  const { kept } = outcome
  const reject = (row: number, reason: "user" | "search") => {
    outcome.rejectLine.push(line[row])
    outcome.rejectReason.push(reasonCode[reason])
  }
  nameSearches(group, columns)
  const searches = distinctSearches(group, columns)
  for (const row of group) if (query[row] >= 0) outcome.repeated++
  outcome.repeated -= searches.length
  for (const row of searches) {
    if (user[row] < 0) reject(row, "user")
    else kept[row] = 1
  }
  for (const row of group) {
    if (query[row] >= 0 || url[row] < 0) continue
    const search = lastBefore(searches, time, time[row])
    if (search === undefined || user[search] < 0) {
      reject(row, "search")
      continue
    }
    user[row] = user[search]
    query[row] = query[search]
    time[row] = time[search]
    kept[row] = 1
    kept[search] = 0
  }
}

/** The rows that are marked with 1. */
export function rowsOf(marks: Uint8Array): Uint32Array {
  const rows = new Uint32Array(marks.reduce((sum, mark) => sum + mark, 0))
  for (let row = 0, at = 0; row < marks.length; row++) if (marks[row] === 1) rows[at++] = row
  return rows
}

/** The last of these rows that is not after `moment`, or else the first. The rows must be in order of time. */
function lastBefore(rows: readonly number[], time: Int32Array, moment: number): number | undefined {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (time[rows[middle]] <= moment) low = middle + 1
    else high = middle
  }
  return rows[Math.max(0, low - 1)]
}

/** Gives searches without a user the user of the earliest event that names one, whatever the order of the log. */
function nameSearches(group: Uint32Array, { user, query, time }: LogColumns): void {
  let named = -1
  for (const row of group) {
    if (query[row] < 0 && user[row] >= 0 && (named < 0 || time[row] < time[named])) named = row
  }
  if (named < 0) return
  for (const row of group) if (query[row] >= 0 && user[row] < 0) user[row] = user[named]
}

/** The searches of a group by time: one for each user and text, at its first time. */
function distinctSearches(group: Uint32Array, { user, query, time }: LogColumns): number[] {
  const searches = [...group].filter((row) => query[row] >= 0).sort((a, b) => time[a] - time[b] || a - b)
  const seen = new Set<string>()
  return searches.filter((row) => {
    const name = `${user[row]} ${query[row]}`
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}
