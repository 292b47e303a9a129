import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import { PairTable } from "../../kernels/pair-table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { createSwapper } from "../../swapper/create-swapper.ts"
import { holdRareTexts } from "../../swapper/hold-rare.ts"
import type { SwapMode, SwapperOptions, WithheldBy } from "../../swapper/swapper.ts"
import type { RepeatRule } from "../swap-guarantee.ts"
import type { ArrivingRecords } from "./auto-depth.ts"
import { keepTextsApart } from "./one-cell-texts.ts"

/** The searches of a log that have a topic, ordered by time and then by first line. */
export interface Arrivals extends ArrivingRecords {
  /** By search: its first row in the log. */
  row: Uint32Array
}

export function orderArrivals(log: SearchLog, topicOf: Int32Array): Arrivals {
  const starts = new Uint32Array(log.events)
  const lines = new Uint32Array(log.events) // the smallest line of each search, whatever its rank
  let found = 0
  for (let row = 0; row < log.rows; row++) {
    if (topicOf[log.query[row]] < 0) continue
    if (row > 0 && log.event[row] === log.event[row - 1]) lines[found - 1] = Math.min(lines[found - 1], log.line[row])
    else {
      lines[found] = log.line[row]
      starts[found++] = row
    }
  }
  const rows = starts.subarray(0, found)
  // Times before 1970 are negative. Flipping the sign bit sorts them first.
  const time = Uint32Array.from(rows, (row) => log.time[row] ^ 0x80000000)
  const row = orderByNumbers([time, lines.subarray(0, found)]).map((place) => rows[place])
  return {
    row,
    user: columnOf(row, (r) => log.user[r]),
    text: columnOf(row, (r) => log.query[r]),
    topic: columnOf(row, (r) => topicOf[log.query[r]]),
    time: columnOf(row, (r) => log.time[r]),
  }
}

function columnOf(rows: Uint32Array, value: (row: number) => number): Int32Array {
  const column = new Int32Array(rows.length)
  for (let i = 0; i < rows.length; i++) column[i] = value(rows[i])
  return column
}

/**
 * Why a record is refused: it exceeds its user's backlog, another user of the cell has its text, or it repeats a
 * released one.
 */
export const refusals = ["", "backlog", "same-text", "repeat"] as const

/** What happened to each arrival, and the order in which arrivals left. */
export interface Swapped {
  /** The arrival whose user it is shown with; -1 if it did not leave. */
  as: Int32Array
  /** The arrival that triggered its release. */
  closing: Int32Array
  cell: Int32Array
  /** Distinct users who waited in the category before it left. */
  users: Int32Array
  /** Arrivals in the order in which they left. */
  sequence: Int32Array
  /** Why it never waited: an index into `refusals`; 0 if it was not refused. */
  refused: Uint8Array
  withheld: { overBacklog: number; sameText: number; repeated: number; rareText: number; waiting: number }
}

export interface SwapSettings {
  k: number
  mode: SwapMode
  backlog: number
  minQueryUsers: number
  repeats: RepeatRule
  /** Whether two users of a cell may have the same text (default distinct). */
  cellTexts?: "distinct" | "any"
  /** Strict mode: the random source of each cell (default: that of the context). */
  randomOfCell?: SwapperOptions["randomOfCell"]
}

/** Passes the arrivals through a swapper. `category`, by arrival, may be any number from 0. */
export async function swapArrivals(
  arrivals: ArrivingRecords,
  category: Int32Array,
  settings: SwapSettings,
  context: RunContext,
): Promise<Swapped> {
  const count = category.length
  const { user, text } = arrivals
  const as = new Int32Array(count).fill(-1)
  const [closing, cell, users, sequence] = [0, 1, 2, 3].map(() => new Int32Array(count))
  let now = 0
  let left = 0
  let overBacklog = 0
  let sameText = 0
  let repeated = 0
  let taken = 0
  const number = new Int32Array(count) // by record: its number among the accepted records, as in a stream
  const refused = new Uint8Array(count)
  const released = settings.repeats === "keep" ? undefined : markReleased(arrivals)
  const texts = settings.repeats === "never" ? keepTextsApart({ text, category }, settings) : undefined
  const sink = {
    release: (record: number, other: number, number: number, there: number) => {
      as[record] = other
      closing[record] = now
      cell[record] = number
      users[record] = there
      sequence[left++] = record
      released?.mark(record)
      texts?.leave(record, number)
    },
    withhold: (record: number, reason: WithheldBy) => {
      refused[record] = refusals.indexOf(reason)
      taken--
      if (reason === "same-text") sameText++
      else overBacklog++
    },
  }
  const swapper = createSwapper(
    { user, text, category, position: (record) => number[record] },
    {
      ...settings,
      distinctTexts: settings.cellTexts !== "any",
      random: context.random,
      sink,
    },
  )
  // A held record may have become a repeat: another held record of the same user and text has just left.
  const pass = (record: number) => {
    if (released?.has(record) || texts?.admit(record, swapper.placeOf(record)) === false) {
      refused[record] = refusals.indexOf("repeat")
      repeated++
      return
    }
    number[record] = taken++
    swapper.offer(record)
  }
  const hold = holdRareTexts({ user, text }, { users: settings.minQueryUsers, pass })
  for (; now < count; now++) {
    hold.offer(now)
    if (now % 1048576 === 0) await yieldAndReport(context, { stage: "swapping", done: now, total: count })
  }
  await yieldAndReport(context, { stage: "swapping", done: count, total: count })
  const withheld = { overBacklog, sameText, repeated, rareText: hold.held, waiting: swapper.waiting }
  return { as, closing, cell, users, sequence: sequence.subarray(0, left), refused, withheld }
}

/** Remembers which queries of which users were released. */
function markReleased({ user, text }: ArrivingRecords) {
  const pairs = new PairTable({ expected: user.length / 2 })
  const pair = new Int32Array(user.length)
  let count = 0
  for (let i = 0; i < user.length; i++) {
    pair[i] = pairs.intern(user[i], text[i], count)
    if (pair[i] === count) count++
  }
  const marks = new Uint8Array(count)
  return {
    mark: (record: number) => {
      marks[pair[record]] = 1
    },
    has: (record: number) => marks[pair[record]] === 1,
  }
}
