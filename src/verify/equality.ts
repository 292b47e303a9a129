import { isDeepStrictEqual } from "node:util"
import { breathe, type RunContext } from "../kernels/context.ts"
import type { SearchLog, Unit } from "../log/search-log.ts"
import { promiseEquality } from "../methods/guarantee.ts"
import type { Release } from "../release/read-release.ts"
import { countDistinctPairs, isContained, RowKeys, rowKeySeeds, sortPairs } from "./pairs.ts"
import { fileRow } from "./release-checks.ts"
import type { Check, Verifier } from "./verifier.ts"

/**
 * Verifies plain k-anonymity. From the release alone: a query shown under fewer than k names (or in fewer than k rows)
 * cannot have k users. With the original: every released text has k users there, the release holds all rows of each
 * released text and no others, so that its k users are in the release too, and no name or url shows more than the
 * column policy allows.
 */
export const equalityVerifier: Verifier = {
  model: "equality",
  async verify({ release, log }, context) {
    const released = await release.log(context)
    const { k } = release.manifest.guarantee
    const against = promisesAgainst(release.manifest.guarantee.counted)
    const checks = [checkManifest(release), checkInside(release, released, k)]
    await breathe(context, { stage: "verifying", done: 1, total: 3 })
    if (log === undefined) {
      for (const about of Object.values(against)) checks.push({ ...about, state: "unchecked", needs: "against" })
      return checks
    }
    if (log.unit !== release.manifest.guarantee.counted) {
      for (const about of Object.values(against))
        checks.push({ ...about, state: "fails", detail: unitDetail(log.unit) })
      return checks
    }
    const original = restrictToReleased(released, log)
    const inside = checkOriginalUsers(release, released, log, k)
    await breathe(context, { stage: "verifying", done: 2, total: 3 })
    checks.push(inside, ...checkAgainst(release, released, log, original, context))
    return checks
  },
}

/** A log that was read by another unit is not the log that the guarantee speaks of. */
const unitDetail = (unit: Unit) =>
  unit === "user"
    ? "the release counts sessions; read the log with --unit session"
    : "the release counts users; read the log without --unit session"

/** Checks that need the original. */
const promisesAgainst = (counted: Unit) => ({
  users: { name: "users-original", promise: `every released query has k ${counted}s in the original` },
  rows: { name: "rows", promise: "the rows are those of the original, all rows of each released query" },
  clicks: { name: "clicks", promise: "the clicks are those of the original" },
  urls: { name: "urls", promise: "a url is shown only as its policy says" },
  groups: { name: "groups", promise: "a name joins the rows of one session, or of one user, as its policy says" },
})

/** The promise in words and numbers is the one that the parameters give: nothing was added or left out. */
function checkManifest({ manifest }: Release): Check {
  const { method, parameters, guarantee } = manifest
  const same =
    method === "equality" &&
    isDeepStrictEqual(guarantee, promiseEquality({ k: Number(parameters.k), counted: guarantee.counted }))
  return { name: "manifest", promise: "the guarantee is that of the parameters", state: same ? "holds" : "fails" }
}

/** What the release shows by itself. */
function checkInside(release: Release, released: SearchLog, k: number): Check {
  const { users } = release.manifest.parameters
  const named = users !== "drop"
  const exact = users === "pseudonym" || users === "keep"
  const witness = named ? released.user : Int32Array.from(released.query, (_, row) => row)
  const counts = countDistinctPairs(released.query, witness, released.queries.size)
  const least = counts.reduce((min, count) => Math.min(min, count), Number.MAX_SAFE_INTEGER)
  const what = exact ? "users" : named ? "sessions" : "rows"
  const about = { name: "users-release", promise: `every released query has k ${what} in the release` }
  const value = released.rows === 0 ? {} : { value: least }
  if (least >= k) return { ...about, state: "holds", ...value, bound: k }
  const row = released.query.findIndex((query) => counts[query] < k)
  return { ...about, state: "fails", row: fileRow(release, released, row), value: least, bound: k }
}

interface Original {
  /** Query of the log behind each released query, -1 where there is none. */
  queryOf: Int32Array
  /** Rows of the log whose query is released. */
  rows: Uint32Array
}

function restrictToReleased(released: SearchLog, log: SearchLog): Original {
  const queryOf = Int32Array.from({ length: released.queries.size }, (_, query) =>
    log.queries.findBytes(released.queries.bytes(query)),
  )
  const isReleased = new Uint8Array(log.queries.size)
  for (const query of queryOf) if (query >= 0) isReleased[query] = 1
  const rows = new Uint32Array(log.rows)
  let count = 0
  for (let row = 0; row < log.rows; row++) if (isReleased[log.query[row]] === 1) rows[count++] = row
  return { queryOf, rows: rows.subarray(0, count) }
}

function checkOriginalUsers(release: Release, released: SearchLog, log: SearchLog, k: number): Check {
  const users = countDistinctPairs(log.query, log.user, log.queries.size)
  const usersOf = (query: number) => {
    const found = log.queries.findBytes(released.queries.bytes(query))
    return found < 0 ? 0 : users[found]
  }
  let least = Number.MAX_SAFE_INTEGER
  let worst = -1
  for (let query = 0; query < released.queries.size; query++) {
    const count = usersOf(query)
    if (count < least) {
      least = count
      worst = query
    }
  }
  const about = promisesAgainst(log.unit).users
  if (worst < 0) return { ...about, state: "holds", bound: k }
  if (least >= k) return { ...about, state: "holds", value: least, bound: k }
  return {
    ...about,
    state: "fails",
    row: fileRow(release, released, released.query.indexOf(worst)),
    value: least,
    bound: k,
  }
}

function checkAgainst(
  release: Release,
  released: SearchLog,
  log: SearchLog,
  original: Original,
  context: RunContext,
): Check[] {
  const { parameters } = release.manifest
  const seeds = new Uint32Array(rowKeySeeds)
  context.random.fill(seeds)
  const unit = parameters.time === "hour" ? 3600 : parameters.time === "day" ? 86400 : 1
  const cut = (seconds: number) => (parameters.time === "drop" ? 0 : Math.floor(seconds / unit) * unit)
  const { queryOf, rows } = original

  const releasedRows = new RowKeys(released.rows, seeds)
  for (let i = 0; i < released.rows; i++) releasedRows.set(i, queryOf[released.query[i]], released.time[i])
  const originalRows = new RowKeys(rows.length, seeds)
  for (let i = 0; i < rows.length; i++) originalRows.set(i, log.query[rows[i]], cut(log.time[rows[i]]))
  const same = released.rows === rows.length && isContained(releasedRows.sorted(), originalRows.sorted())
  return [
    {
      ...promisesAgainst(log.unit).rows,
      state: same ? "holds" : "fails",
      value: released.rows,
      bound: rows.length,
    },
    checkClicks(released, log, { original, seeds, cut }),
    checkUrls(release, released, log, original),
    checkGroups(release, released, log, { original, releasedRows, originalRows }),
  ]
}

/** Every click shown, with its query, time and rank, is one of the original's. */
function checkClicks(
  released: SearchLog,
  log: SearchLog,
  { original, seeds, cut }: { original: Original; seeds: Uint32Array; cut: (seconds: number) => number },
): Check {
  const { queryOf, rows } = original
  const urlOf = urlsOf(released, log)
  const shown = clickedRows(released)
  const releasedKeys = new RowKeys(shown.length, seeds)
  shown.forEach((row, i) => {
    releasedKeys.set(i, queryOf[released.query[row]], released.time[row], urlOf[released.url[row]], released.rank[row])
  })
  const clicked = rows.filter((row) => log.url[row] >= 0)
  const originalKeys = new RowKeys(clicked.length, seeds)
  clicked.forEach((row, i) => {
    originalKeys.set(i, log.query[row], cut(log.time[row]), log.url[row], log.rank[row])
  })
  const state = isContained(releasedKeys.sorted(), originalKeys.sorted()) ? "holds" : "fails"
  return { ...promisesAgainst(log.unit).clicks, state }
}

const urlsOf = (released: SearchLog, log: SearchLog) =>
  Int32Array.from({ length: released.urls.size }, (_, url) => log.urls.findBytes(released.urls.bytes(url)))

function clickedRows(log: SearchLog): Uint32Array {
  const rows = new Uint32Array(log.rows)
  let count = 0
  for (let row = 0; row < log.rows; row++) if (log.url[row] >= 0) rows[count++] = row
  return rows.subarray(0, count)
}

/** Under the threshold policy every url shown was clicked, on released queries, by k users. */
function checkUrls(release: Release, released: SearchLog, log: SearchLog, { rows }: Original): Check {
  const about = promisesAgainst(log.unit).urls
  const { urls } = release.manifest.parameters
  const { k } = release.manifest.guarantee
  if (urls === "drop") return { ...about, state: released.urls.size === 0 ? "holds" : "fails" }
  if (urls !== "keep" && urls !== "threshold") return { ...about, state: "fails", detail: "unknown policy" }
  if (urls === "keep") return { ...about, state: "holds", detail: "all urls are shown" }
  const url = Int32Array.from(rows, (row) => log.url[row])
  const user = Int32Array.from(rows, (row) => log.user[row])
  const clickers = countDistinctPairs(url, user, log.urls.size)
  const urlOf = urlsOf(released, log)
  let least = Number.MAX_SAFE_INTEGER
  for (const found of urlOf) least = Math.min(least, found < 0 ? 0 : clickers[found])
  if (least >= k) return { ...about, state: "holds", ...(urlOf.length === 0 ? {} : { value: least }), bound: k }
  const row = released.url.findIndex((shown) => shown >= 0 && (urlOf[shown] < 0 || clickers[urlOf[shown]] < k))
  return { ...about, state: "fails", row: fileRow(release, released, row), value: least, bound: k }
}

const idleSeconds = 30 * 60

/**
 * The rows under each name are those of one session (or one user) of the original. A group is known by the sum of its
 * rows' keys; the groups of the release and of the original must be the same.
 */
function checkGroups(
  release: Release,
  released: SearchLog,
  log: SearchLog,
  { original, releasedRows, originalRows }: { original: Original; releasedRows: RowKeys; originalRows: RowKeys },
): Check {
  const about = promisesAgainst(log.unit).groups
  const { users } = release.manifest.parameters
  if (users === "drop") return { ...about, state: "holds", detail: "no names are shown" }
  if (users !== "keep") {
    for (let user = 0; user < released.users.size; user++) {
      if (log.users.findBytes(released.users.bytes(user)) >= 0) {
        return {
          ...about,
          state: "fails",
          row: fileRow(release, released, released.user.indexOf(user)),
          detail: "a user id of the original",
        }
      }
    }
  }
  const releasedGroups = sumGroups(releasedRows, (i) => i > 0 && released.user[i] === released.user[i - 1])
  const { rows } = original
  const originalGroups = sumGroups(originalRows, (i) => {
    if (i === 0 || log.user[rows[i]] !== log.user[rows[i - 1]]) return false
    return users !== "session" || log.time[rows[i]] - log.time[rows[i - 1]] <= idleSeconds
  })
  const same = releasedGroups.length === originalGroups.length && isContained(releasedGroups, originalGroups)
  return { ...about, state: same ? "holds" : "fails", value: releasedGroups.length, bound: originalGroups.length }
}

/** Keys of groups of neighbouring rows, sorted. */
function sumGroups(rows: RowKeys, joins: (row: number) => boolean): BigUint64Array {
  const high: number[] = []
  const low: number[] = []
  for (let i = 0; i < rows.high.length; i++) {
    if (joins(i)) {
      high[high.length - 1] = (high[high.length - 1] + rows.high[i]) | 0
      low[low.length - 1] = (low[low.length - 1] + rows.low[i]) | 0
    } else {
      high.push(rows.high[i])
      low.push(rows.low[i])
    }
  }
  return sortPairs(Int32Array.from(high), Int32Array.from(low))
}
