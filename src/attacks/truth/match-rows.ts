import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import { type RandomSource, shuffleFirst } from "../../kernels/random.ts"
import type { SearchLog } from "../../log/search-log.ts"

/** The keys by which rows of the log and of the release are equal: the text and, if it is shown, the time. */
export interface RowKeys {
  query: Uint32Array
  time: Uint32Array
}

/** For each row of the log, its query + 1, and its time as a release would show it. */
export function keysOfLog({ query, time }: SearchLog, timeUnit: number | undefined): RowKeys {
  return {
    query: Uint32Array.from(query, (id) => id + 1),
    time: Uint32Array.from(time, (at) => shownTime(at, timeUnit)),
  }
}

/** For each row of the release, the log's query with its text + 1, or 0 if the log has no such text, and its time. */
export function keysOfRelease(released: SearchLog, log: SearchLog, timeUnit: number | undefined): RowKeys {
  const idOf = Uint32Array.from(
    { length: released.queries.size },
    (_, text) => log.queries.findBytes(released.queries.bytes(text)) + 1,
  )
  return {
    query: Uint32Array.from(released.query, (text) => idOf[text]),
    time: Uint32Array.from(released.time, (at) => shownTime(at, timeUnit)),
  }
}

/** Times before 1970 are negative. Flipping the sign bit puts them first. */
const shownTime = (time: number, unit: number | undefined) =>
  unit === undefined ? 0 : ((Math.floor(time / unit) * unit) ^ 0x80000000) >>> 0

/**
 * Assigns each released row a random row of the log with the same text and time; each row of the log is used once.
 * Every row of the log that a released row could come from is marked as shown. `foreign` counts the released rows that
 * match no row of the log.
 */
export function matchRows(
  log: SearchLog,
  released: SearchLog,
  { timeUnit, random }: { timeUnit: number | undefined; random: RandomSource },
): { origin: Int32Array; isShown: Uint8Array; foreign: number } {
  const [ours, theirs] = [keysOfLog(log, timeUnit), keysOfRelease(released, log, timeUnit)]
  const [inLog, inRelease] = [orderByNumbers([ours.query, ours.time]), orderByNumbers([theirs.query, theirs.time])]
  const compare = (a: number, b: number) => ours.query[a] - theirs.query[b] || ours.time[a] - theirs.time[b]
  const origin = new Int32Array(released.rows).fill(-1)
  const isShown = new Uint8Array(log.rows)
  let foreign = 0
  for (let from = 0, at = 0; from < inRelease.length; ) {
    const row = inRelease[from]
    while (at < inLog.length && compare(inLog[at], row) < 0) at++
    const start = at
    while (at < inLog.length && compare(inLog[at], row) === 0) isShown[inLog[at++]] = 1
    const equal = inLog.slice(start, at)
    shuffleFirst(equal, equal.length, random)
    let to = from
    for (; to < inRelease.length && isSame(theirs, row, inRelease[to]); to++) {
      if (to - from < equal.length) origin[inRelease[to]] = equal[to - from]
    }
    if (equal.length === 0) foreign += to - from
    from = to
  }
  return { origin, isShown, foreign }
}

const isSame = ({ query, time }: RowKeys, a: number, b: number) => query[a] === query[b] && time[a] === time[b]
