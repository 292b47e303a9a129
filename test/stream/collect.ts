import { seededRandom } from "#dist/kernels/random.js"
import { createSwapper } from "#dist/swapper/create-swapper.js"
import type { RecordColumns, Swapper, SwapperOptions, WithheldBy } from "#dist/swapper/swapper.js"

interface Released {
  record: number
  as: number
  cell: number
  users: number
  /** The record whose arrival released it. */
  at: number
}

export type Arrival = readonly [user: number, text: number, category: number]

export function columnsOf(arrivals: readonly Arrival[]): RecordColumns {
  const column = (place: 0 | 1 | 2) => Int32Array.from(arrivals, (arrival) => arrival[place])
  return { user: column(0), text: column(1), category: column(2) }
}

/** Offers all arrivals in order. `before` may act on the swapper before each. */
export function swapAll(
  arrivals: readonly Arrival[],
  options: Partial<SwapperOptions> & { mode: "strict" | "paper"; seed?: number },
  before: (swapper: Swapper, record: number) => void = () => {},
) {
  const released: Released[] = []
  const withheld: number[] = []
  const sameText: number[] = []
  let at = -1
  const sink = {
    release: (record: number, as: number, cell: number, users: number) =>
      released.push({ record, as, cell, users, at }),
    withhold: (record: number, reason: WithheldBy) => (reason === "backlog" ? withheld : sameText).push(record),
  }
  const random = seededRandom(options.seed ?? 1)
  const swapper = createSwapper(columnsOf(arrivals), { k: 2, backlog: 1000, random, sink, ...options })
  for (at = 0; at < arrivals.length; at++) {
    before(swapper, at)
    swapper.offer(at)
  }
  return { released, withheld, sameText, waiting: swapper.waiting }
}
