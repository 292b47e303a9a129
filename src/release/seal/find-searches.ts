import { QueryveilError } from "../../kernels/error.ts"
import { firstAtLeast } from "../../kernels/search-sorted.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { AuditedRecord } from "../../stream/store/audited-releases.ts"

/**
 * Returns a function that finds the row of the log for a record of a stream. The row has the user, text and time of the
 * record, and its url if the stream keeps urls. No two records get the same row. Rows with the same user, text and time
 * are one search, so which of them is taken makes no other difference. Throws `audit-broken` if no such row is left.
 */
export function findSearches(log: SearchLog, { withUrls }: { withUrls: boolean }): (record: AuditedRecord) => number {
  const starts = new Uint32Array(log.users.size + 1)
  for (let row = 0; row < log.rows; row++) if (log.user[row] >= 0) starts[log.user[row] + 1]++
  const unnamed = log.rows - starts.reduce((sum, count) => sum + count, 0) // rows without a user come first
  starts[0] = unnamed
  for (let user = 0; user < log.users.size; user++) starts[user + 1] += starts[user]
  const isTaken = new Uint8Array(log.rows)
  const rowOf = new Map<number, number>()

  const find = ({ user, query, time, rank, url }: AuditedRecord): number => {
    const [who, text] = [log.users.find(user), log.queries.find(query)]
    if (who < 0 || text < 0) return -1
    const times = log.time.subarray(starts[who], starts[who + 1])
    let found = -1
    for (let row = starts[who] + firstAtLeast(times, time); row < starts[who + 1] && log.time[row] === time; row++) {
      if (log.query[row] !== text || isTaken[row] === 1) continue
      const isSameRank = log.rank[row] === rank
      if (withUrls && !(isSameRank && (log.url[row] < 0 ? "" : log.urls.text(log.url[row])) === url)) continue
      if (isSameRank) return row
      if (found < 0) found = row
    }
    return found
  }

  return (record) => {
    const known = rowOf.get(record.number)
    if (known !== undefined) return known
    const row = find(record)
    if (row < 0)
      throw new QueryveilError(
        "audit-broken",
        [
          `The stream's audit names a search (record ${record.number}) that the log does not have.`,
          "Give the log that the stream read, or the one that stream searches writes.",
        ].join(" "),
      )
    isTaken[row] = 1
    rowOf.set(record.number, row)
    return row
  }
}
