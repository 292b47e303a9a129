import { QueryveilError } from "../kernels/error.ts"
import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import type { SearchLog } from "../log/search-log.ts"
import { trailColumns } from "./audit-trail.ts"
import type { ProbeSubject } from "./probe.ts"

/** Whether the audit at hand is that of the release and leads from its rows to the log. */
export function hasTrail({ release, audit }: Pick<ProbeSubject, "release" | "audit">): boolean {
  return audit !== undefined && audit.release === release.manifest.id && audit.has("trail")
}

/** By row of the released log: the rows of the log that the trail names for its search and for its user; -1: none. */
export async function followTrail(
  { release, log, audit }: ProbeSubject,
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
  if (rows !== released.rows) throw broken()
  return { origin, person }
}

const broken = () =>
  new QueryveilError("audit-broken", "trail: does not lead from every row of the release to lines of the log.")
