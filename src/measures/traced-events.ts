import type { RunContext } from "../kernels/context.ts"
import { PairTable } from "../kernels/pair-table.ts"
import type { SearchLog } from "../log/search-log.ts"
import { traitsOf } from "../methods/guarantee.ts"
import type { ProbeSubject } from "../probes/probe.ts"
import { followTrail } from "../release/follow-trail.ts"
import { idsIn } from "./shown/click-edges.ts"

/**
 * The number of events of the log that a release shows according to its audit's trail: Σ over users and texts of their
 * events, times the share of their rows that is shown, at most 1. A row counts for the user whose search is behind it.
 * In a release of groups, where one member's searches are shown for others too, it counts for the user under whose name
 * it is shown.
 */
export async function countTraced(subject: ProbeSubject, context: RunContext): Promise<number> {
  const { release, log } = subject
  const released = await release.log(context)
  const { origin, person } = await followTrail(subject, released)
  const source = traitsOf(release.manifest.guarantee).shownUnder === "group" ? person : origin
  const own = idsIn(log.queries, released.queries)
  const { pairs, rows, events } = countPairs(log)
  const shown = new Uint32Array(rows.length)
  for (let row = 0; row < released.rows; row++) {
    const [searcher, query] = [source[row] < 0 ? -1 : log.user[source[row]], own[released.query[row]]]
    const pair = searcher < 0 || query < 0 ? -1 : pairs.find(searcher, query)
    if (pair >= 0) shown[pair]++
  }
  let sum = 0
  for (let pair = 0; pair < rows.length; pair++) sum += events[pair] * Math.min(1, shown[pair] / rows[pair])
  return sum
}

/** Counts the rows and events of each pair of user and text in the log. */
function countPairs(log: SearchLog) {
  const pairs = new PairTable({ expected: log.events })
  const [rows, events] = [new Uint32Array(log.events), new Uint32Array(log.events)]
  let size = 0
  for (let row = 0; row < log.rows; row++) {
    const pair = pairs.intern(log.user[row], log.query[row], size)
    if (pair === size) size++
    rows[pair]++
    if (row === 0 || log.event[row] !== log.event[row - 1]) events[pair]++
  }
  return { pairs, rows: rows.subarray(0, size), events: events.subarray(0, size) }
}
