import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { AuditFolder } from "../release/read-audit.ts"
import type { RowsRelease } from "../release/read-release.ts"
import { fileRow } from "./release-checks.ts"
import type { Check } from "./verifier.ts"

/** What the audit says about each row of the released log. */
export interface Trail {
  /** The line of the original that the query came from. */
  queryLine: Uint32Array
  /** A line of the original by the user whose name is shown. */
  userLine: Uint32Array
  cell: Uint32Array
  /** Number of users who waited before the cell closed. */
  users: Uint32Array
}

export const trailPromise = { name: "trail", promise: "the audit names every released row once, and nothing else" }

const columns = ["row", "query_row", "user_row", "cell", "users"]

/** Reads the trail. It is valid only if its check passed. */
export async function readTrail(
  release: RowsRelease,
  { released, audit }: { released: SearchLog; audit: AuditFolder },
  context: RunContext,
): Promise<{ trail: Trail; check: Check }> {
  const { rows } = released
  const rowAt = new Int32Array(rows + 1).fill(-1)
  for (let row = 0; row < rows; row++) rowAt[fileRow(release, released, row)] = row
  const column = () => new Uint32Array(rows)
  const trail = { queryLine: column(), userLine: column(), cell: column(), users: column() }
  const named = new Uint8Array(rows)
  let wrong = 0
  let lines = 0
  for await (const cells of audit.rows("trail", columns)) {
    if (++lines % 65536 === 0) await yieldAndReport(context, { stage: "reading trail", done: lines, total: rows })
    const [at, queryLine, userLine, cell, users] = cells.map(wholeNumber)
    const row = at >= 0 && at <= rows ? rowAt[at] : -1
    if (row < 0 || named[row] === 1 || queryLine < 0 || userLine < 0 || cell < 0 || users < 0) {
      wrong++
      continue
    }
    named[row] = 1
    trail.queryLine[row] = queryLine
    trail.userLine[row] = userLine
    trail.cell[row] = cell
    trail.users[row] = users
  }
  const missing = named.indexOf(0)
  if (missing < 0 && wrong === 0) return { trail, check: { ...trailPromise, state: "passed", value: rows } }
  const row = missing < 0 ? {} : { row: fileRow(release, released, missing) }
  const detail = wrong > 0 ? `${wrong} lines that name no row, or one again` : "a row that it does not name"
  return { trail, check: { ...trailPromise, state: "failed", ...row, detail } }
}

/** A number from 0 to 2³² − 1; anything else is -1. */
function wholeNumber(text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1
  return value <= 0xffffffff ? value : -1
}
