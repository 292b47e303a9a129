import type { SearchLog } from "../log/search-log.ts"

/** By query of the log: 1 when its text is in the release. */
export function markReleased(log: SearchLog, released: SearchLog): Uint8Array {
  const marks = new Uint8Array(log.queries.size)
  for (let query = 0; query < released.queries.size; query++) {
    const found = log.queries.findBytes(released.queries.bytes(query))
    if (found >= 0) marks[found] = 1
  }
  return marks
}
