import type { SearchLog } from "./search-log.ts"

/** Lines `after` + 1 to `upTo` of the log. There, one search may be logged more than once within `seconds`. */
export interface RepeatedLines {
  after: number
  upTo: number
  seconds: number
}

/**
 * Marks with 1 the rows to keep. When one user searches for one text again within the given seconds, only the first
 * search is kept. A row with a click is always kept. The log must be sorted by user and time.
 */
export function markDistinctSearches(
  { rows, queries, user, query, time, url, line }: SearchLog,
  repeated: readonly RepeatedLines[],
): Uint8Array {
  const kept = new Uint8Array(rows).fill(1)
  const lastUser = new Int32Array(queries.size).fill(-1)
  const lastTime = new Int32Array(queries.size)
  for (let row = 0; row < rows; row++) {
    const range = repeated.find(({ after, upTo }) => line[row] > after && line[row] <= upTo)
    if (range === undefined || url[row] >= 0) continue
    const text = query[row]
    if (lastUser[text] === user[row] && time[row] - lastTime[text] <= range.seconds) {
      kept[row] = 0
    } else {
      lastUser[text] = user[row]
      lastTime[text] = time[row]
    }
  }
  return kept
}
