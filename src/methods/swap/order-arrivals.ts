import type { Dictionary } from "../../kernels/dictionary.ts"
import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import { hashBoth, mixPair, type PairSeeds } from "../../kernels/pair-hash.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { PositionColumns } from "../../swapper/swapper.ts"
import type { ArrivingRecords } from "./auto-depth.ts"

/** The searches of a log that have a topic, ordered by position: by time, then by a keyed hash of user and text. */
export interface Arrivals extends ArrivingRecords {
  /** By search: its first row in the log. */
  row: Uint32Array
  hash: Omit<PositionColumns, "time">
}

/**
 * Orders searches by their positions under the seeds of a secret. The order does not depend on the lines of the log.
 * Two searches have one user, text and time only if they are one.
 */
export function orderArrivals(log: SearchLog, topicOf: Int32Array, { seeds }: { seeds: PairSeeds }): Arrivals {
  const starts = new Uint32Array(log.events)
  let found = 0
  for (let row = 0; row < log.rows; row++)
    if (topicOf[log.query[row]] >= 0 && (row === 0 || log.event[row] !== log.event[row - 1])) starts[found++] = row
  const rows = starts.subarray(0, found)
  const hash = hashSearches(log, rows, seeds)
  // Times before 1970 are negative. Flipping the sign bit sorts them first.
  const time = Uint32Array.from(rows, (row) => log.time[row] ^ 0x80000000)
  const order = orderByNumbers([time])
  sortTies(order, time, hash)
  const row = order.map((place) => rows[place])
  return {
    row,
    user: columnOf(row, (r) => log.user[r]),
    text: columnOf(row, (r) => log.query[r]),
    topic: columnOf(row, (r) => topicOf[log.query[r]]),
    time: columnOf(row, (r) => log.time[r]),
    hash: {
      high: columnOf(order, (place) => hash.high[place]),
      low: columnOf(order, (place) => hash.low[place]),
    },
  }
}

/** From this many searches of one time on, counting digits is faster than comparing. */
const manyTies = 4096

/** Sorts searches of the same time by their hashes, in place. Few have the same second in most logs. */
function sortTies(order: Uint32Array, time: Uint32Array, { high, low }: { high: Uint32Array; low: Uint32Array }): void {
  for (let from = 0, to = 0; from < order.length; from = to) {
    to = from + 1
    while (to < order.length && time[order[to]] === time[order[from]]) to++
    if (to - from === 1) continue
    const tied = order.subarray(from, to)
    if (tied.length < manyTies) tied.sort((a, b) => high[a] - high[b] || low[a] - low[b])
    else {
      const places = orderByNumbers([high, low].map((half) => tied.map((place) => half[place])))
      tied.set(places.map((place) => tied[place]))
    }
  }
}

/** Both halves of the hash of user and text, by row given. Each distinct text is hashed once. */
function hashSearches(log: SearchLog, rows: Uint32Array, seeds: PairSeeds): { high: Uint32Array; low: Uint32Array } {
  const [users, queries] = [log.users, log.queries].map((texts) => hashTexts(texts, seeds))
  const high = new Uint32Array(rows.length)
  const low = new Uint32Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const user = log.user[rows[i]] * 2
    const query = log.query[rows[i]] * 2
    high[i] = mixPair(users[user], queries[query])
    low[i] = mixPair(users[user + 1], queries[query + 1])
  }
  return { high, low }
}

/** By text: its hash under both seeds. */
function hashTexts(texts: Dictionary, seeds: PairSeeds): Uint32Array {
  const { arena, offsets } = texts.parts()
  const out = new Uint32Array(texts.size * 2)
  const span = { start: 0, end: 0 }
  const target = { seeds, out, at: 0 }
  for (let text = 0; text < texts.size; text++) {
    span.start = offsets[text]
    span.end = offsets[text + 1]
    target.at = text * 2
    hashBoth(arena, span, target)
  }
  return out
}

function columnOf(rows: Uint32Array, value: (row: number) => number): Int32Array {
  const column = new Int32Array(rows.length)
  for (let i = 0; i < rows.length; i++) column[i] = value(rows[i])
  return column
}
