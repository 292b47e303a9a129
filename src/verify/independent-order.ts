import type { RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import { binomialTail } from "../kernels/statistics/binomial.ts"
import { riseTail } from "../kernels/statistics/rise-tail.ts"
import { normalTail, poissonTail } from "../kernels/statistics/tails.ts"
import type { SearchLog } from "../log/search-log.ts"
import { traitsOf } from "../methods/guarantee.ts"
import { followTrail, hasTrail } from "../release/follow-trail.ts"
import { nameLifetimeOf } from "../release/manifest.ts"
import type { RowsRelease } from "../release/read-release.ts"
import type { Check, VerifySubject } from "./verifier.ts"

const about = {
  name: "order",
  promise: [
    "names and their order do not follow users or lines: no runs of one user, no rising lines,",
    "no shared letters (false alarms below one in a million); the rows of a name are in the order of time",
  ].join(" "),
}

/** Level of each of about twenty tests. Together they raise a false alarm less than once in a million releases. */
const level = 5e-8

/**
 * With fewer names than this, no order is rare enough: 11 names are in the order of their lines, or in the reverse of
 * it, with a chance of 2 / 11! = 5.01e-8.
 */
const fewest = 12

/** Up to this many names, the number of rises is tested exactly. */
const mostExact = 100

/**
 * Checks the order of names. Names are drawn at random and are in random order. So neither may reveal which names
 * belong to one person, or where in the log they come from. A release without names is tested row by row. Needs the log
 * and the audit; without them there is no such check.
 */
export async function checkOrder({ release, log, audit }: VerifySubject, context: RunContext): Promise<Check[]> {
  if (log === undefined || log.unit !== release.manifest.guarantee.counted || !hasTrail({ release, audit })) return []
  const released = await release.log(context)
  const units = await readUnits({ release, released, log, audit })
  if (units === undefined) {
    // For swapped users, another check reports a broken trail.
    const isReportedElsewhere = traitsOf(release.manifest.guarantee).shownUnder === "cell"
    return isReportedElsewhere ? [] : [{ ...about, state: "failed", detail: "the trail is broken" }]
  }
  const { user, line, name } = units
  if (units.isReversed) return [{ ...about, state: "failed", detail: "rows of a name are not in the order of time" }]
  if (user.length < 2) return [{ ...about, state: "passed", value: user.length }]
  if (user.length < fewest) return [{ ...about, state: "not checked", detail: `too few to judge (${user.length})` }]
  const detail =
    (hasRuns(user) && "units of one user are next to each other") ||
    ((followsOrder(line) || rises(line)) && "they follow the lines of the log") ||
    ((followsOrder(user) || rises(user)) && "they follow the users of the log") ||
    (name !== undefined && namesFollow(name, units) && "names follow users or lines") ||
    undefined
  return [{ ...about, state: detail === undefined ? "passed" : "failed", ...(detail && { detail }) }]
}

/** Names in the order of the file, or rows if there are no names: the user of each, and the first line behind it. */
interface Units {
  user: Uint32Array
  line: Uint32Array
  /** True if rows of a name are not in the order in which they were made or, if users were swapped, shown. */
  isReversed: boolean
  /** Letters and digits of each name, five bits each; undefined if no random names are shown. */
  name: Uint8Array[] | undefined
}

async function readUnits(subject: {
  release: RowsRelease
  released: SearchLog
  log: SearchLog
  audit: VerifySubject["audit"]
}): Promise<Units | undefined> {
  const { release, released, log } = subject
  const trail = await followTrail(subject, released).catch((error: unknown) => {
    if (error instanceof QueryveilError && error.code === "audit-broken") return undefined
    throw error
  })
  if (trail === undefined) return undefined
  const { origin, person } = trail
  const lifetime = nameLifetimeOf(release.manifest)
  const isNamed = lifetime !== "drop"
  const lineOf = (row: number) => (origin[row] < 0 ? 0 : log.line[origin[row]])
  const inFile = orderByNumbers([released.line])
  const placeOf = new Int32Array(isNamed ? released.users.size : 0).fill(-1)
  const first: number[] = []
  const lines: number[] = []
  const isOwnTime = traitsOf(release.manifest.guarantee).shownUnder === "searcher"
  const timeOf = (row: number) => (isOwnTime ? log.time[origin[row]] : released.time[row])
  let isReversed = false
  const lastOf = new Int32Array(isNamed ? released.users.size : 0).fill(-1)
  for (const row of inFile) {
    const name = released.user[row]
    if (isNamed && lastOf[name] >= 0 && timeOf(row) < timeOf(lastOf[name])) isReversed = true
    if (isNamed) lastOf[name] = row
    if (isNamed && placeOf[name] >= 0) {
      const place = placeOf[name]
      if (lineOf(row) > 0 && (lines[place] === 0 || lineOf(row) < lines[place])) lines[place] = lineOf(row)
      continue
    }
    if (isNamed) placeOf[name] = first.length
    first.push(row)
    lines.push(lineOf(row))
  }
  const userOf = (row: number) => log.user[isNamed || origin[row] < 0 ? person[row] : origin[row]]
  const isRandom = isNamed && lifetime !== "keep"
  return {
    user: Uint32Array.from(first, userOf),
    line: Uint32Array.from(lines),
    isReversed,
    name: isRandom ? first.map((row) => lettersOf(released.users.text(released.user[row]))) : undefined,
  }
}

/** The alphabet of names: a to z, 2 to 7. */
const lettersOf = (name: string) =>
  Uint8Array.from(name.slice(1), (letter) => (letter >= "a" ? letter.charCodeAt(0) - 97 : letter.charCodeAt(0) - 24))

/**
 * Tests the number of neighbours of one user. In random order of n units, Σ c (c − 1) / n are expected, with c the
 * units of each user. The number is about Poisson distributed, or less spread.
 */
function hasRuns(user: Uint32Array): boolean {
  const counts = new Map<number, number>()
  let together = 0
  for (const [i, who] of user.entries()) {
    counts.set(who, (counts.get(who) ?? 0) + 1)
    if (i > 0 && user[i - 1] === who) together++
  }
  let expected = 0
  for (const count of counts.values()) expected += (count * (count - 1)) / user.length
  return poissonTail(together, expected) < level
}

/** Tests Spearman's rank correlation of position and value. Times √(n − 1), it is about normally distributed. */
function followsOrder(values: Uint32Array): boolean {
  const n = values.length
  if (n < 40) return false
  const ranks = ranksOf(values)
  const middle = (n - 1) / 2
  let product = 0
  let square = 0
  for (let i = 0; i < n; i++) {
    product += (i - middle) * (ranks[i] - middle)
    square += (ranks[i] - middle) ** 2
  }
  if (square === 0) return false
  const correlation = product / Math.sqrt((square * (n ** 3 - n)) / 12)
  return 2 * normalTail(Math.abs(correlation) * Math.sqrt(n - 1)) < level
}

/** Mean ranks: equal values share the mean of their positions. */
function ranksOf(values: Uint32Array): Float64Array {
  const order = orderByNumbers([values])
  const ranks = new Float64Array(values.length)
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to - 1) / 2
  }
  return ranks
}

/**
 * Tests the number of rises between neighbours that differ. If few values are all distinct, the test is exact.
 * Otherwise it takes a fair coin: in random order, a rise is as likely as a fall, and neighbouring rises make each
 * other less likely, so the coin has a larger spread.
 */
function rises(values: Uint32Array): boolean {
  let up = 0
  let down = 0
  for (let i = 1; i < values.length; i++) {
    if (values[i] > values[i - 1]) up++
    else if (values[i] < values[i - 1]) down++
  }
  const most = Math.max(up, down)
  const isExact = values.length <= mostExact && new Set(values).size === values.length
  return 2 * (isExact ? riseTail(most, values.length) : binomialTail(most, up + down, { p: 0.5 })) < level
}

const alphabet = 32

/**
 * Tests two things: whether names of one user share a letter in one position more often than 1 in 32, and whether names
 * are in the order of users or lines.
 */
function namesFollow(name: readonly Uint8Array[], { user, line }: Units): boolean {
  const byUser = orderByNumbers([user, line])
  const length = name.reduce((least, letters) => Math.min(least, letters.length), Number.POSITIVE_INFINITY)
  for (let place = 0; place < length; place++) {
    let pairs = 0
    let equal = 0
    // Pairs that do not overlap are independent of each other.
    for (let i = 1; i < byUser.length; i++) {
      if (user[byUser[i]] !== user[byUser[i - 1]]) continue
      pairs++
      if (name[byUser[i]][place] === name[byUser[i - 1]][place]) equal++
      i++
    }
    if (binomialTail(equal, pairs, { p: 1 / alphabet }) < level) return true
  }
  const value = Uint32Array.from(name, (letters) =>
    letters.slice(0, 6).reduce((sum, letter) => sum * alphabet + letter, 0),
  )
  const along = (order: Uint32Array) => order.map((unit) => value[unit])
  return [along(byUser), along(orderByNumbers([line])), value].some((values) => followsOrder(values) || rises(values))
}
