import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { ProbeSubject } from "../../probes/probe.ts"

/** The searches of a swapped release, in the order in which its reader puts them, with the truth from the audit. */
export interface SwappedRecords {
  /** For each record, the name it is shown under, its text and its time, as in the released rows. */
  name: Int32Array
  text: Int32Array
  time: Int32Array
  /** For each record, the user of the log who issued it. */
  truth: Int32Array
  /** For each name, the user of the log it stands for. */
  userOf: Int32Array
}

/**
 * Reads a release whose users were swapped, one record for each search: rows of one name, text and time that come from
 * one event of the log. Records are ordered by the shown time, then as in the file. The lines of `trail` lead to the
 * log.
 */
export async function readSwapped({ release, log, audit }: ProbeSubject, context: RunContext): Promise<SwappedRecords> {
  const released = await release.log(context)
  const rowAt = rowsByLine(log)
  const queryRow = new Int32Array(released.rows).fill(-1)
  const userRow = new Int32Array(released.rows).fill(-1)
  for await (const [row, query, user] of audit?.rows("trail", trailColumns) ?? []) {
    const place = Number(row) - 1
    queryRow[place] = rowAt[Number(query)] ?? -1
    userRow[place] = rowAt[Number(user)] ?? -1
  }
  if (queryRow.includes(-1) || userRow.includes(-1))
    throw new QueryveilError(
      "audit-broken",
      "The trail of the audit does not lead from every row of the release to lines of the log.",
    )
  return gatherRecords({ released, log, queryRow, userRow })
}

const trailColumns = ["row", "query_row", "user_row", "cell", "users"] as const

/** The row of the log for each line of its files. */
function rowsByLine({ line }: SearchLog): Int32Array {
  const rows = new Int32Array(line.reduce((most, number) => Math.max(most, number), 0) + 1).fill(-1)
  for (let row = 0; row < line.length; row++) rows[line[row]] = row
  return rows
}

/** Gathers records. The rows of the log are indexed by position in the released file. */
function gatherRecords(subject: {
  released: SearchLog
  log: SearchLog
  queryRow: Int32Array
  userRow: Int32Array
}): SwappedRecords {
  const { released, log, queryRow, userRow } = subject
  const inFile = orderByNumbers([released.line])
  const userOf = new Int32Array(released.users.size).fill(-1)
  const seen = new Set<string>()
  const first: number[] = []
  inFile.forEach((row, place) => {
    userOf[released.user[row]] = log.user[userRow[place]]
    const key = `${log.event[queryRow[place]]} ${released.user[row]} ${released.query[row]} ${released.time[row]}`
    if (seen.has(key)) return
    seen.add(key)
    first.push(place)
  })
  // Times before 1970 are negative. Flipping the sign bit puts them first.
  const order = orderByNumbers([Uint32Array.from(first, (place) => released.time[inFile[place]] ^ 0x80000000)])
  const column = (value: (place: number) => number) => Int32Array.from(order, (record) => value(first[record]))
  return {
    name: column((place) => released.user[inFile[place]]),
    text: column((place) => released.query[inFile[place]]),
    time: column((place) => released.time[inFile[place]]),
    truth: column((place) => log.user[queryRow[place]]),
    userOf,
  }
}
