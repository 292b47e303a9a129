import type { RunContext } from "../../kernels/context.ts"
import type { ArrivingRecords } from "./auto-depth.ts"
import { orderMatters } from "./order-matters.ts"
import { refusals, type SwapSettings, swapArrivals } from "./swap-log.ts"

/** What happens to the searches of one text in its category. */
export interface TextFate {
  /** Users who issued the text, and its searches. */
  users: number
  searches: number
  released: number
  /** Searches that are not released, by reason. */
  held: number
  backlog: number
  sameText: number
  repeat: number
  waiting: number
  /** In seconds. */
  meanWait: number
  longestWait: number
  usersInCategory: number
  searchesInCategory: number
  /** Number of cells that closed. */
  cells: number
  /** True if all this may depend on the order of searches of the same second, which is drawn for each release. */
  dependsOnOrder: boolean
}

/** The arrivals that `keep` accepts, in their order. */
export function pickArrivals(arrivals: ArrivingRecords, keep: (record: number) => boolean): ArrivingRecords {
  const records = Int32Array.from(arrivals.user.keys()).filter(keep)
  const pick = (column: Int32Array) => records.map((record) => column[record])
  const { user, text, topic, time } = arrivals
  return { user: pick(user), text: pick(text), topic: pick(topic), time: pick(time) }
}

/** Swaps the arrivals of one category among themselves, and reports what happens to those of a text. */
export async function followText(
  among: ArrivingRecords,
  text: number,
  settings: SwapSettings,
  context: RunContext,
): Promise<TextFate> {
  const swapped = await swapArrivals(among, new Int32Array(among.user.length), settings, context)
  const own = Array.from(among.text.keys()).filter((record) => among.text[record] === text)
  const left = own.filter((record) => swapped.as[record] >= 0)
  const waits = left.map((record) => among.time[swapped.closing[record]] - among.time[record])
  const users = new Set(own.map((record) => among.user[record])).size
  const refusedFor = (reason: (typeof refusals)[number]) =>
    own.filter((record) => refusals[swapped.refused[record]] === reason).length
  const refused = { backlog: refusedFor("backlog"), sameText: refusedFor("same-text"), repeat: refusedFor("repeat") }
  const staying = own.length - left.length - refused.backlog - refused.sameText - refused.repeat
  const isHeld = users < settings.minQueryUsers
  return {
    users,
    searches: own.length,
    released: left.length,
    ...refused,
    held: isHeld ? staying : 0,
    waiting: isHeld ? 0 : staying,
    meanWait: waits.reduce((sum, wait) => sum + wait, 0) / Math.max(1, waits.length),
    longestWait: waits.reduce((most, wait) => Math.max(most, wait), 0),
    usersInCategory: new Set(among.user).size,
    searchesInCategory: among.user.length,
    cells: new Set(swapped.sequence.map((record) => swapped.cell[record])).size,
    dependsOnOrder: orderMatters(among, swapped, settings),
  }
}
