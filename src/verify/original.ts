import type { RunContext } from "../kernels/context.ts"
import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import { type SearchLog, type Unit, unknownRank } from "../log/search-log.ts"
import { traitsOf } from "../methods/guarantee.ts"
import type { RowsRelease } from "../release/read-release.ts"
import { type GroupRows, sumGroups } from "./group-keys.ts"
import { countDistinctPairs, isContained, RowKeys, rowKeySeeds, sortPairs } from "./pairs.ts"
import { fileRow } from "./release-checks.ts"
import { differOnlyInTies } from "./tied-groups.ts"
import type { Check } from "./verifier.ts"

/** A row-level release, its original, and what each query became. */
export interface Comparison {
  release: RowsRelease
  released: SearchLog
  log: SearchLog
  /** By query of the log: the released text that it became, or -1 if it is not released. */
  releasedOf: Int32Array
}

/** Checks that compare a row-level release with its original. */
export const originalPromises = {
  rows: { name: "rows", promise: "the rows match the original, with all rows of each released query" },
  clicks: { name: "clicks", promise: "the clicks match the original" },
  urls: { name: "urls", promise: "a url is shown only as its policy says" },
  groups: {
    name: "groups",
    promise:
      "a name joins the rows of one session, day or user, in their order and with their clicks, as its policy says",
  },
}

/** Shown if the log was read with another unit: it is not the log that the guarantee is about. */
export const unitDetail = (unit: Unit) =>
  unit === "user"
    ? "the release counts sessions; read the log with --unit session"
    : "the release counts users; read the log without --unit session"

/** By query of the log: the same text in the release, or -1. */
export function findReleased(released: SearchLog, log: SearchLog): Int32Array {
  const releasedOf = new Int32Array(log.queries.size).fill(-1)
  for (let text = 0; text < released.queries.size; text++) {
    const found = log.queries.findBytes(released.queries.bytes(text))
    if (found >= 0) releasedOf[found] = text
  }
  return releasedOf
}

/**
 * Checks that the release has all rows of its released queries and no others, and that no name or url shows too much.
 */
export function compareRows(comparison: Comparison, context: RunContext): Check[] {
  const { release, released, log, releasedOf } = comparison
  const { parameters } = release.manifest
  const seeds = new Uint32Array(rowKeySeeds)
  context.random.fill(seeds)
  const unit = parameters.time === "hour" ? 3600 : parameters.time === "day" ? 86400 : 1
  const cut = (seconds: number) => (parameters.time === "drop" ? 0 : Math.floor(seconds / unit) * unit)
  const rows = rowsReleased(log, releasedOf)

  const releasedRows = new RowKeys(released.rows, seeds)
  for (let i = 0; i < released.rows; i++) releasedRows.set(i, released.query[i], released.time[i])
  const originalRows = new RowKeys(rows.length, seeds)
  for (let i = 0; i < rows.length; i++) originalRows.set(i, releasedOf[log.query[rows[i]]], cut(log.time[rows[i]]))
  const same = released.rows === rows.length && isContained(releasedRows.sorted(), originalRows.sorted())
  return [
    { ...originalPromises.rows, state: same ? "passed" : "failed", value: released.rows, bound: rows.length },
    checkClicks(comparison, { rows, seeds, cut }),
    checkUrls(comparison, rows),
    checkGroups(comparison, { rows, seeds, cut }),
  ]
}

/** The rows of the log whose query is released. */
function rowsReleased(log: SearchLog, releasedOf: Int32Array): Uint32Array {
  const rows = new Uint32Array(log.rows)
  let count = 0
  for (let row = 0; row < log.rows; row++) if (releasedOf[log.query[row]] >= 0) rows[count++] = row
  return rows.subarray(0, count)
}

/** Checks that every click shown, with its query, time and rank, is in the original. */
function checkClicks(
  { released, log, releasedOf }: Comparison,
  { rows, seeds, cut }: { rows: Uint32Array; seeds: Uint32Array; cut: (seconds: number) => number },
): Check {
  const urlOf = urlsOf(released, log)
  const shown = clickedRows(released)
  const releasedKeys = new RowKeys(shown.length, seeds)
  shown.forEach((row, i) => {
    releasedKeys.set(i, released.query[row], released.time[row], urlOf[released.url[row]], released.rank[row])
  })
  const clicked = rows.filter((row) => log.url[row] >= 0)
  const originalKeys = new RowKeys(clicked.length, seeds)
  clicked.forEach((row, i) => {
    originalKeys.set(i, releasedOf[log.query[row]], cut(log.time[row]), log.url[row], log.rank[row])
  })
  const state = isContained(releasedKeys.sorted(), originalKeys.sorted()) ? "passed" : "failed"
  return { ...originalPromises.clicks, state }
}

const urlsOf = (released: SearchLog, log: SearchLog) =>
  Int32Array.from({ length: released.urls.size }, (_, url) => log.urls.findBytes(released.urls.bytes(url)))

function clickedRows(log: SearchLog): Uint32Array {
  const rows = new Uint32Array(log.rows)
  let count = 0
  for (let row = 0; row < log.rows; row++) if (log.url[row] >= 0) rows[count++] = row
  return rows.subarray(0, count)
}

/** Under the threshold policy, checks that at least k users clicked every shown url on released queries. */
function checkUrls({ release, released, log }: Comparison, rows: Uint32Array): Check {
  const about = originalPromises.urls
  const { urls } = release.manifest.parameters
  const { k } = release.manifest.guarantee
  if (urls === "drop") return { ...about, state: released.urls.size === 0 ? "passed" : "failed" }
  if (urls !== "keep" && urls !== "threshold") return { ...about, state: "failed", detail: "unknown policy" }
  if (urls === "keep") return { ...about, state: "not promised", detail: "all urls are shown" }
  const url = Int32Array.from(rows, (row) => log.url[row])
  const user = Int32Array.from(rows, (row) => log.user[row])
  const clickers = countDistinctPairs(url, user, log.urls.size)
  const urlOf = urlsOf(released, log)
  let least = Number.MAX_SAFE_INTEGER
  for (const found of urlOf) least = Math.min(least, found < 0 ? 0 : clickers[found])
  if (least >= k) return { ...about, state: "passed", ...(urlOf.length === 0 ? {} : { value: least }), bound: k }
  const row = released.url.findIndex((shown) => shown >= 0 && (urlOf[shown] < 0 || clickers[urlOf[shown]] < k))
  return { ...about, state: "failed", row: fileRow(release, released, row), value: least, bound: k }
}

const idleSeconds = 30 * 60

/**
 * Checks that the rows under each name are those of one session (or day, or user) of the original, in their order and
 * with their clicks. A group is identified by the sum of the keys of its rows, which include their positions. The
 * groups of both sides must be the same.
 */
function checkGroups(
  { release, released, log, releasedOf }: Comparison,
  { rows, seeds, cut }: { rows: Uint32Array; seeds: Uint32Array; cut: (seconds: number) => number },
): Check {
  const about = originalPromises.groups
  const { users } = release.manifest.parameters
  if (users === "drop") return { ...about, state: "not promised", detail: "no names are shown" }
  if (users !== "keep") {
    for (let user = 0; user < released.users.size; user++) {
      if (log.users.findBytes(released.users.bytes(user)) >= 0) {
        return {
          ...about,
          state: "failed",
          row: fileRow(release, released, released.user.indexOf(user)),
          detail: "a user id of the original",
        }
      }
    }
  }
  const urlOf = urlsOf(released, log)
  const isShown = new Uint8Array(log.urls.size)
  for (const url of urlOf) if (url >= 0) isShown[url] = 1
  const inFile = orderByNumbers([Uint32Array.from(released.user), released.line])
  // Concepts of the same second are in another order than their queries; `checkOrder` checks their times.
  const isOrdered = traitsOf(release.manifest.guarantee).shows !== "concepts"
  const inRelease: GroupRows = {
    isOrdered,
    joins: (i) => i > 0 && released.user[inFile[i]] === released.user[inFile[i - 1]],
    rowAt: (i) => {
      const row = inFile[i]
      const url = released.url[row]
      return {
        query: released.query[row],
        time: released.time[row],
        url: url < 0 ? -1 : urlOf[url],
        rank: released.rank[row],
      }
    },
  }
  const joins = (i: number) => {
    if (i === 0 || log.user[rows[i]] !== log.user[rows[i - 1]]) return false
    const [time, before] = [log.time[rows[i]], log.time[rows[i - 1]]]
    if (users === "day") return Math.floor(time / 86400) === Math.floor(before / 86400)
    return users !== "session" || time - before <= idleSeconds
  }
  const inLog: GroupRows = {
    isOrdered,
    joins,
    rowAt: (i) => {
      const row = rows[i]
      const url = log.url[row] >= 0 && isShown[log.url[row]] === 1 ? log.url[row] : -1
      const rank = url < 0 ? unknownRank : log.rank[row]
      return { query: releasedOf[log.query[row]], time: cut(log.time[row]), url, rank }
    },
  }
  const releasedGroups = sumGroups(inFile.length, seeds, inRelease)
  const originalGroups = sumGroups(rows.length, seeds, inLog)
  const [value, bound] = [releasedGroups.starts.length, originalGroups.starts.length]
  const areSame = () => {
    if (value !== bound) return false
    if (
      isContained(
        sortPairs(releasedGroups.high, releasedGroups.low),
        sortPairs(originalGroups.high, originalGroups.low),
      )
    )
      return true
    const released = { groups: releasedGroups, rows: inRelease }
    const original = { groups: originalGroups, rows: inLog, secondAt: (i: number) => log.time[rows[i]] }
    return isOrdered && differOnlyInTies(released, original)
  }
  return { ...about, state: areSame() ? "passed" : "failed", value, bound }
}
