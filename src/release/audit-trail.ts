import type { Table } from "../kernels/table.ts"
import type { SearchLog } from "../log/search-log.ts"

export const trailColumns = ["row", "query_row", "user_row"] as const

/**
 * For each row of the release: the line of the log that its content came from, blank if the row is synthetic, and a
 * line of the user that its name represents. `order` gives the row of `released` for each row of the release.
 */
export function auditTrail(log: SearchLog, { released, order }: { released: SearchLog; order: Uint32Array }): Table {
  const lineOf = new Uint32Array(log.users.size)
  for (let row = log.rows - 1; row >= 0; row--) if (log.user[row] >= 0) lineOf[log.user[row]] = log.line[row]
  const shown = (line: number) => (line > 0 ? line : "")
  return {
    columns: trailColumns,
    rows: order.length,
    cell: (row, column) => {
      if (column === 0) return row + 1
      return shown(column === 1 ? released.line[order[row]] : (lineOf[released.user[order[row]]] ?? 0))
    },
  }
}
