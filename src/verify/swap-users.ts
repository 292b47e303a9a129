import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import { countDistinctPairs } from "./pairs.ts"
import { fileRow } from "./release-checks.ts"
import type { Records, SwapSubject } from "./swap-records.ts"
import type { Check } from "./verifier.ts"

export const userPromises = {
  shown: { name: "users-shown", promise: "each name is the name of the user in the audit, as its policy says" },
  own: { name: "own-records", promise: "nobody got a search of their own back" },
  urls: { name: "urls", promise: "a url is shown only as its policy says" },
}

const idleSeconds = 30 * 60

/**
 * Checks that each name belongs to one user. A user has one name (`pseudonym`, `keep`), one for each cell, or one for
 * each UTC day of the shown times. A name per session has no gap of more than 30 minutes, and a user has only one in a
 * cell.
 */
export function checkShownUsers(subject: SwapSubject, records: Records): Check {
  const { release, released } = subject
  const about = userPromises.shown
  const { users, time } = release.manifest.parameters
  if (users === "drop") return { ...about, state: "not promised", detail: "no names are shown" }
  const fails = (row: number, detail: string): Check => {
    return { ...about, state: "failed", row: fileRow(release, released, row), detail }
  }
  const wrong = findWrongName(subject, records, users)
  if (wrong !== undefined) return fails(wrong.row, wrong.detail)
  if (users === "cell") return checkPeriods(subject, records, { period: records.cell, what: "cell" })
  if (users === "day" && time !== "drop") {
    const day = records.row.map((row) => Math.floor(released.time[row] / 86400) >>> 0)
    return checkPeriods(subject, records, { period: day, what: "day" })
  }
  const torn = users === "session" || users === "day" ? findTornName(subject, records, records.cell) : -1
  if (torn >= 0) return fails(records.row[torn], "a user of two names in a cell")
  if (users !== "session" || time === "drop") return { ...about, state: "passed" }
  // After cutting, times may be a whole unit apart that were closer before.
  const longest = time === "hour" ? 3600 : time === "day" ? 86400 : idleSeconds
  const { user: shown, time: times } = released
  const late = shown.findIndex((name, row) => name === shown[row - 1] && times[row] - times[row - 1] > longest)
  return late < 0 ? { ...about, state: "passed" } : fails(late, "a name of two sessions")
}

/** A released row whose name is a user id, or belongs to two users, or is the second name of a lasting user. */
function findWrongName(
  { released, log }: SwapSubject,
  records: Records,
  users: unknown,
): { row: number; detail: string } | undefined {
  const userOf = new Int32Array(released.users.size).fill(-1)
  const nameOf = new Int32Array(log.users.size).fill(-1)
  for (let name = 0; name < userOf.length; name++) {
    const user = log.users.findBytes(released.users.bytes(name))
    if (users === "keep") userOf[name] = user
    else if (user >= 0) return { row: released.user.indexOf(name), detail: "a user id of the original" }
  }
  for (let i = 0; i < records.count; i++) {
    const name = released.user[records.row[i]]
    const user = log.user[records.donor[i]]
    if (userOf[name] < 0 && users !== "keep") userOf[name] = user
    if (userOf[name] !== user) return { row: records.row[i], detail: "a name of two users" }
    if (users !== "pseudonym" && users !== "keep") continue
    if (nameOf[user] < 0) nameOf[user] = name
    if (nameOf[user] !== name) return { row: records.row[i], detail: "a user of two names" }
  }
  return undefined
}

/** Checks that each name is used in one period, and that each user has one name in a period. */
function checkPeriods(
  subject: SwapSubject,
  records: Records,
  { period, what }: { period: Uint32Array; what: string },
): Check {
  const { release, released } = subject
  const about = userPromises.shown
  const name = records.row.map((row) => released.user[row])
  const fails = (record: number, detail: string): Check => {
    return { ...about, state: "failed", row: fileRow(release, released, records.row[record]), detail }
  }
  const byName = orderByNumbers([name])
  for (let i = 1; i < byName.length; i++) {
    const [one, before] = [byName[i], byName[i - 1]]
    if (name[one] === name[before] && period[one] !== period[before]) return fails(one, `a name of two ${what}s`)
  }
  const torn = findTornName(subject, records, period)
  return torn < 0 ? { ...about, state: "passed" } : fails(torn, `a user of two names in a ${what}`)
}

/** A record of a user who has another name in the same period, or -1. */
function findTornName({ released, log }: SwapSubject, records: Records, period: Uint32Array): number {
  const name = records.row.map((row) => released.user[row])
  const user = records.donor.map((row) => log.user[row])
  const byUser = orderByNumbers([user, period])
  for (let i = 1; i < byUser.length; i++) {
    const [one, before] = [byUser[i], byUser[i - 1]]
    const isSame = user[one] === user[before] && period[one] === period[before]
    if (isSame && name[one] !== name[before]) return one
  }
  return -1
}

export function checkOwnRecords({ release, released, log }: SwapSubject, records: Records): Check {
  for (let i = 0; i < records.count; i++) {
    if (log.user[records.source[i]] === log.user[records.donor[i]])
      return { ...userPromises.own, state: "failed", row: fileRow(release, released, records.row[i]) }
  }
  return { ...userPromises.own, state: "passed", value: records.count }
}

/**
 * Under the threshold policy, checks that k users clicked every shown url on released rows. Rows were matched before,
 * so a shown url is that of the original.
 */
export function checkShownUrls({ release, released, log }: SwapSubject, records: Records): Check {
  const about = userPromises.urls
  const { urls } = release.manifest.parameters
  const { k } = release.manifest.guarantee
  if (urls === "drop") return { ...about, state: released.urls.size === 0 ? "passed" : "failed" }
  if (urls === "keep") return { ...about, state: "not promised", detail: "all urls are shown" }
  if (urls !== "threshold") return { ...about, state: "failed", detail: "unknown policy" }
  const isReleased = new Uint8Array(log.events)
  for (let i = 0; i < records.count; i++) isReleased[log.event[records.source[i]]] = 1
  const isClick = (row: number) => log.url[row] >= 0 && isReleased[log.event[row]] === 1
  let clicks = 0
  for (let row = 0; row < log.rows; row++) if (isClick(row)) clicks++
  const [url, user] = [new Int32Array(clicks), new Int32Array(clicks)]
  for (let row = 0, at = 0; row < log.rows; row++) {
    if (!isClick(row)) continue
    url[at] = log.url[row]
    user[at++] = log.user[row]
  }
  const clickers = countDistinctPairs(url, user, log.urls.size)
  let least = Number.MAX_SAFE_INTEGER
  let worst = -1
  for (let shown = 0; shown < released.urls.size; shown++) {
    const count = clickers[log.urls.findBytes(released.urls.bytes(shown))] ?? 0
    if (count >= least) continue
    least = count
    worst = shown
  }
  if (worst < 0) return { ...about, state: "passed", bound: k }
  if (least >= k) return { ...about, state: "passed", value: least, bound: k }
  return {
    ...about,
    state: "failed",
    row: fileRow(release, released, released.url.indexOf(worst)),
    value: least,
    bound: k,
  }
}
