import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { PairTable } from "../../kernels/pair-table.ts"
import { createSwapper } from "../../swapper/create-swapper.ts"
import { holdRareTexts } from "../../swapper/hold-rare.ts"
import type { SwapMode, SwapperOptions, WithheldBy } from "../../swapper/swapper.ts"
import type { RepeatRule } from "../swap-guarantee.ts"
import type { ArrivingRecords } from "./auto-depth.ts"
import { keepTextsApart } from "./one-cell-texts.ts"

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
      if (reason === "same-text") sameText++
      else overBacklog++
    },
  }
  const position = arrivals.hash === undefined ? undefined : { time: arrivals.time, ...arrivals.hash }
  const swapper = createSwapper(
    { user, text, category, ...(position && { position }) },
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
