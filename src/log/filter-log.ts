import { numberEvents, type SearchLog, sharedInt32, sharedUint16, sharedUint32 } from "./search-log.ts"

/** The log without the rows of some queries (1 in `leave`, by query). Ids and dictionaries stay as they are. */
export function withoutQueries(log: SearchLog, leave: Uint8Array): SearchLog {
  let rows = 0
  for (let row = 0; row < log.rows; row++) rows += 1 - leave[log.query[row]]
  if (rows === log.rows) return log
  const user = sharedInt32(rows)
  const query = sharedInt32(rows)
  const time = sharedInt32(rows)
  const rank = sharedUint16(rows)
  const url = sharedInt32(rows)
  const line = sharedUint32(rows)
  let at = 0
  for (let row = 0; row < log.rows; row++) {
    if (leave[log.query[row]] === 1) continue
    user[at] = log.user[row]
    query[at] = log.query[row]
    time[at] = log.time[row]
    rank[at] = log.rank[row]
    url[at] = log.url[row]
    line[at] = log.line[row]
    at++
  }
  const event = numberEvents({ user, query, time })
  const events = rows === 0 ? 0 : event[rows - 1] + 1
  const { users, queries, urls } = log
  return { rows, events, users, queries, urls, user, query, time, rank, url, event, line }
}
