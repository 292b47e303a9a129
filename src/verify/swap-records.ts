import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Release } from "../release/read-release.ts"
import { fileRow } from "./release-checks.ts"
import type { Trail } from "./swap-trail.ts"
import type { Check } from "./verifier.ts"

/** A swapped release beside its original. */
export interface SwapSubject {
  release: Release
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
  /** A row of the original, of the user whose name is shown. */
  donor: Uint32Array
  cell: Uint32Array
  /** Users who waited. */
  waiting: Uint32Array
}

export const rowsPromise = {
  name: "rows",
  promise: "the rows are those of their lines in the original, each search once and with all its rows",
}

/** Joins released rows to their rows in the original, and those to searches. They are of use only where the check holds. */
export function matchRecords(subject: SwapSubject, trail: Trail): { records: Records; check: Check } {
  const { release, released, log } = subject
  const rowsOf = indexLines(log)
  const { releasedAt, strange } = matchRows(subject, trail, rowsOf)
  if (strange >= 0) return { records: noRecords, check: failure(subject, strange, "not as in its line") }
  const starts: number[] = []
  for (let row = 0, end = 0; row < log.rows; row = end) {
    end = row + 1
    let shown = releasedAt[row] >= 0 ? 1 : 0
    for (; end < log.rows && log.event[end] === log.event[row]; end++) if (releasedAt[end] >= 0) shown++
    if (shown === 0) continue
    const one = releasedAt.subarray(row, end).find((at) => at >= 0) ?? 0
    if (shown < end - row) return { records: noRecords, check: failure(subject, one, "a search without all its rows") }
    for (let at = row + 1; at < end; at++) {
      if (!isAlike(released, trail, releasedAt[at], one))
        return { records: noRecords, check: failure(subject, releasedAt[at], "a search that was torn apart") }
    }
    starts.push(row)
  }
  const source = Uint32Array.from(starts)
  const row = source.map((start) => releasedAt[start])
  const donor = new Uint32Array(row.length)
  for (let i = 0; i < donor.length; i++) {
    const [found, end] = rowsOf.range(trail.userLine[row[i]])
    if (found === end) return { records: noRecords, check: failure(subject, row[i], "no such line of a user") }
    donor[i] = rowsOf.order[found]
  }
  const [cell, waiting] = [trail.cell, trail.users].map((column) => row.map((at) => column[at]))
  const records = { count: source.length, row, source, donor, cell, waiting }
  return { records, check: { ...rowsPromise, state: "holds", value: release.manifest.files[0]?.rows ?? released.rows } }
}

const nothing = new Uint32Array(0)
const noRecords: Records = { count: 0, row: nothing, source: nothing, donor: nothing, cell: nothing, waiting: nothing }

const failure = ({ release, released }: SwapSubject, row: number, detail: string): Check => ({
  ...rowsPromise,
  state: "fails",
  row: fileRow(release, released, row),
  detail,
})

function isAlike(released: SearchLog, trail: Trail, a: number, b: number): boolean {
  const columns = [released.user, released.time, trail.userLine, trail.cell, trail.users]
  return columns.every((column) => column[a] === column[b])
}

interface LineIndex {
  order: Uint32Array
  /** The rows of a line are order[from] … order[to - 1]. */
  range(line: number): [from: number, to: number]
}

function indexLines({ line }: SearchLog): LineIndex {
  const order = orderByNumbers([line])
  const sorted = order.map((row) => line[row])
  const firstFrom = (wanted: number) => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sorted[middle] < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
  const range = (wanted: number): [number, number] => {
    const from = firstFrom(wanted)
    let to = from
    while (to < sorted.length && sorted[to] === wanted) to++
    return [from, to]
  }
  return { order, range }
}

/**
 * By row of the original, the released row that is its own, or -1; `strange` is a released row that is none of its line's.
 * A line may have several rows: those that show a url choose first, and a row that shows none is one without, or with a url
 * that is shown nowhere.
 */
function matchRows(
  { release, released, log }: SwapSubject,
  { queryLine }: Trail,
  { order, range }: LineIndex,
): { releasedAt: Int32Array; strange: number } {
  const queryOf = idsIn(released.queries, log.queries)
  const urlOf = idsIn(released.urls, log.urls)
  const isShown = new Uint8Array(log.urls.size)
  for (const url of urlOf) if (url >= 0) isShown[url] = 1
  const keepsUrls = release.manifest.parameters.urls === "keep"
  const releasedAt = new Int32Array(log.rows).fill(-1)
  const isSame = (row: number, at: number) => {
    if (log.query[at] !== queryOf[released.query[row]]) return false
    if (released.url[row] >= 0) return log.url[at] === urlOf[released.url[row]] && log.rank[at] === released.rank[row]
    return log.url[at] < 0 || (isShown[log.url[at]] === 0 && !keepsUrls)
  }
  for (const withUrl of [true, false]) {
    for (let row = 0; row < released.rows; row++) {
      if (released.url[row] >= 0 !== withUrl) continue
      let [at, to] = range(queryLine[row])
      while (at < to && (releasedAt[order[at]] >= 0 || !isSame(row, order[at]))) at++
      if (at === to) return { releasedAt, strange: row }
      releasedAt[order[at]] = row
    }
  }
  return { releasedAt, strange: -1 }
}

const idsIn = (texts: SearchLog["queries"], others: SearchLog["queries"]) =>
  Int32Array.from({ length: texts.size }, (_, id) => others.findBytes(texts.bytes(id)))
