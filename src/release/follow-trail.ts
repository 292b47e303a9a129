import { QueryveilError } from "../kernels/error.ts"
import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import type { SearchLog } from "../log/search-log.ts"
import { trailColumns } from "./audit-trail.ts"
import type { AuditFolder } from "./read-audit.ts"
import type { RowsRelease } from "./read-release.ts"

/** A release, and its side tables where they are at hand. */
export interface AuditedRelease {
  release: RowsRelease
  audit?: AuditFolder | undefined
}

/** Whether the audit at hand is that of the release and leads from its rows to the log. */
export function hasTrail({ release, audit }: AuditedRelease): boolean {
  return audit !== undefined && audit.release === release.manifest.id && audit.has("trail")
}

/** By row of the released log: the rows of the log that the trail names for its search and for its user; -1: none. */
export async function followTrail(
  { release, log, audit }: AuditedRelease & { log: SearchLog },
  released: SearchLog,
): Promise<{ origin: Int32Array; person: Int32Array }> {
  const rowAt = new Int32Array(log.line.reduce((most, line) => Math.max(most, line), 0) + 1).fill(-1)
  for (let row = 0; row < log.rows; row++) rowAt[log.line[row]] = row
  const inFile = orderByNumbers([released.line])
  const origin = new Int32Array(released.rows).fill(-1)
  const person = new Int32Array(released.rows).fill(-1)
  const columns = release.manifest.guarantee.model === "swap" ? [...trailColumns, "cell", "users"] : trailColumns
  let rows = 0
  for await (const [place, search, user] of audit?.rows("trail", columns) ?? []) {
    const row = inFile[Number(place) - 1]
    const [from, who] = [search, user].map((line) => (line === "" ? -1 : (rowAt[Number(line)] ?? -2)))
    if (row === undefined || from === -2 || who === -2) throw broken()
    origin[row] = from
    person[row] = who
    rows++
  }
  const { model } = release.manifest.guarantee
  const showsTexts = model === "equality" || model === "affinity" || model === "swap"
  if (rows !== released.rows || (showsTexts && !hasSameTexts(log, released, origin))) throw broken()
  return { origin, person }
}

/** Whether the lines are those of this log: the numbers of another's would lead to other texts. */
function hasSameTexts(log: SearchLog, released: SearchLog, origin: Int32Array): boolean {
  const idOf = Int32Array.from({ length: released.queries.size }, (_, text) =>
    log.queries.findBytes(released.queries.bytes(text)),
  )
  return origin.every((row, i) => row < 0 || log.query[row] === idOf[released.query[i]])
}

const broken = () =>
  new QueryveilError(
    "audit-broken",
    "trail: does not lead from every row of the release to its line of the log. Give the log that the release was made from.",
  )
