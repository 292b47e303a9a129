import type { Dictionary } from "../kernels/dictionary.ts"
import { closeLog } from "../log/assemble-log.ts"
import { copyColumns } from "../log/filter-log.ts"
import type { SearchLog } from "../log/search-log.ts"

/**
 * Which queries may be released. All rows of a query are released, or none. Does not refer to rows, so it can be
 * applied to another log.
 */
export interface QueryDecision {
  /** By query: 1 if it may be released. */
  released: Uint8Array
  /** What is shown instead of each released query, as ids into `texts`. If missing, the query itself is shown. */
  shown?: { text: Int32Array; texts: Dictionary }
}

/** The released log, and the rows of it that are released, ascending. */
export function applyDecision(log: SearchLog, decision: QueryDecision): { log: SearchLog; keep: Uint32Array } {
  const { released, shown } = decision
  const keep = rowsOfQueries(log, released)
  if (shown === undefined || keep.length === 0) return { log, keep }
  const columns = copyColumns(log)
  for (let row = 0; row < log.rows; row++) columns.query[row] = Math.max(0, shown.text[log.query[row]])
  const { unit, users, urls } = log
  return { log: closeLog(columns, { unit, users, queries: shown.texts, urls }), keep }
}

/** The rows of the queries that are marked 1, ascending. */
function rowsOfQueries(log: SearchLog, released: Uint8Array): Uint32Array {
  const keep = new Uint32Array(log.rows)
  let kept = 0
  for (let row = 0; row < log.rows; row++) {
    keep[kept] = row
    kept += released[log.query[row]]
  }
  return keep.subarray(0, kept)
}

/** Counts the rows of the queries that may be released. */
export function countReleasedRows(log: SearchLog, { released }: QueryDecision): number {
  let rows = 0
  for (let row = 0; row < log.rows; row++) rows += released[log.query[row]]
  return rows
}
