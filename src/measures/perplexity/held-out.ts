import type { SearchLog } from "../../log/search-log.ts"
import { drawSearches } from "../draw-searches.ts"

/** Searches to predict, each with its user and the user's fold. */
export interface HeldOut {
  user: Int32Array
  fold: Uint8Array
  /** Query ids of the log. */
  query: Int32Array
}

/** Draws held-out searches from the events of known users. */
export function drawHeldOut(
  log: SearchLog,
  { foldOf, most, seed }: { foldOf: Uint8Array; most: number; seed: number },
): HeldOut {
  const first = new Int32Array(log.events)
  let count = 0
  for (let row = 0; row < log.rows; row++) {
    if (log.user[row] >= 0 && (row === 0 || log.event[row] !== log.event[row - 1])) first[count++] = row
  }
  const rows = drawSearches(log, first.subarray(0, count), { most, seed })
  return {
    user: rows.map((row) => log.user[row]),
    fold: Uint8Array.from(rows, (row) => foldOf[log.user[row]]),
    query: rows.map((row) => log.query[row]),
  }
}
