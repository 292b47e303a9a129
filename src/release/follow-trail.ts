import { QueryveilError } from "../kernels/error.ts"
import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import type { SearchLog } from "../log/search-log.ts"
import { traitsOf } from "../methods/guarantee.ts"
import { trailColumns } from "./audit-trail.ts"
import { nameLifetimeOf } from "./manifest.ts"
import type { AuditFolder } from "./read-audit.ts"
import type { RowsRelease } from "./read-release.ts"

/** A release, and its side tables if they are available. */
export interface AuditedRelease {
  release: RowsRelease
  audit?: AuditFolder | undefined
}

/** True if the audit is that of the release and leads from its rows to the log. */
export function hasTrail({ release, audit }: AuditedRelease): boolean {
  return audit !== undefined && audit.release === release.manifest.id && audit.has("trail")
}

/**
 * For each row of the released log: the rows of the log that the trail names for its search and for its user; -1 for
 * none. Refuses a trail whose lines lead to other texts, as those of another log would, if the release shows texts
 * unchanged. Also refuses a trail that names a row twice, that gives no origin for a row although the method makes up
 * no rows, or that gives one name to two users.
 */
export async function followTrail(
  { release, log, audit }: AuditedRelease & { log: SearchLog },
  released: SearchLog,
): Promise<{ origin: Int32Array; person: Int32Array }> {
  const { shows, shownUnder } = traitsOf(release.manifest.guarantee)
  const addsRows = shownUnder === "group"
  const showsTexts = shows === "queries" && !addsRows
  const queryOf = Int32Array.from({ length: released.queries.size }, (_, text) =>
    log.queries.findBytes(released.queries.bytes(text)),
  )
  const findRow = rowFinder(log)
  const inFile = orderByNumbers([released.line])
  const [origin, person] = [new Int32Array(released.rows), new Int32Array(released.rows)]
  const isKnown = new Uint8Array(released.rows)
  const userOf = new Int32Array(released.users.size).fill(-1)
  const columns = shownUnder === "cell" ? [...trailColumns, "cell", "users"] : trailColumns
  const isNameless = nameLifetimeOf(release.manifest) === "drop"
  /** Throws if the name already belongs to another user. */
  const claimName = (name: number, who: number) => {
    if (isNameless || name < 0) return
    if (who < 0 || (userOf[name] >= 0 && userOf[name] !== log.user[who])) throw broken()
    userOf[name] = log.user[who]
  }
  let rows = 0
  for await (const [place, search, user] of audit?.rows("trail", columns) ?? []) {
    const row = inFile[Number(place) - 1]
    const from = search === "" ? -1 : findRow(Number(search), showsTexts ? queryOf[released.query[row]] : undefined)
    const who = user === "" ? -1 : findRow(Number(user))
    if (row === undefined || from === undefined || who === undefined) throw broken()
    if (isKnown[row]++ > 0 || (from < 0 && !addsRows)) throw broken()
    origin[row] = from
    person[row] = who
    rows++
    claimName(released.user[row], who)
  }
  if (rows !== released.rows) throw broken()
  return { origin, person }
}

/**
 * Returns a function that finds a row with this line, and with this query if one is given. A line may contain several
 * searches.
 */
function rowFinder({ rows, line, query }: SearchLog): (line: number, query?: number) => number | undefined {
  const first = new Int32Array(line.reduce((most, number) => Math.max(most, number), 0) + 1).fill(-1)
  const next = new Int32Array(rows)
  for (let row = rows - 1; row >= 0; row--) {
    next[row] = first[line[row]]
    first[line[row]] = row
  }
  return (number, wanted) => {
    for (let row = first[number] ?? -1; row >= 0; row = next[row]) {
      if (wanted === undefined || query[row] === wanted) return row
    }
    return undefined
  }
}

const broken = () =>
  new QueryveilError(
    "audit-broken",
    [
      "The trail of the audit does not lead from every row of the release to its line of the log.",
      "Give the log that the release was made from.",
    ].join(" "),
  )
