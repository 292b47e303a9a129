import type { Table } from "../kernels/table.ts"
import type { SearchLog } from "../log/search-log.ts"

export const trailColumns = ["row", "query_row", "user_row"] as const

/**
 * For each row of the release: the line of the log that its content came from, blank if the row is synthetic, and a
 * line of the user that its name represents. `order` gives the row of `released` for each row of the release.
 */
export function auditTrail(log: SearchLog, { released, order }: { released: SearchLog; order: Uint32Array }): Table {
  let lines: Uint32Array | undefined // most releases are written without an audit
  const lineOf = (user: number) => {
    lines ??= firstLines(log)
    return lines[user] ?? 0
  }
  const shown = (line: number) => (line > 0 ? line : "")
  return {
    columns: trailColumns,
    rows: order.length,
    cell: (row, column) => {
      if (column === 0) return row + 1
      return shown(column === 1 ? released.line[order[row]] : lineOf(released.user[order[row]]))
    },
  }
}

/** A line of each user. */
function firstLines({ users, rows, user, line }: SearchLog): Uint32Array {
  const lineOf = new Uint32Array(users.size)
  for (let row = rows - 1; row >= 0; row--) if (user[row] >= 0) lineOf[user[row]] = line[row]
  return lineOf
}
