import type { SearchLog } from "../log/search-log.ts"

/** The rows of the queries that are marked 1, ascending. */
export function rowsOfQueries(log: SearchLog, released: Uint8Array): Uint32Array {
  const keep = new Uint32Array(log.rows)
  let kept = 0
  for (let row = 0; row < log.rows; row++) {
    keep[kept] = row
    kept += released[log.query[row]]
  }
  return keep.subarray(0, kept)
}
