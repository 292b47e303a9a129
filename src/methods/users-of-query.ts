import type { SearchLog } from "../log/search-log.ts"

/** Counts the distinct users and the searches of one query. A row without a user adds no user. */
export function usersOfQuery(log: SearchLog, query: number): { users: number; searches: number } {
  let users = 0
  let searches = 0
  let last = -1
  for (let row = 0; row < log.rows; row++) {
    if (log.query[row] !== query) continue
    if (row === 0 || log.event[row] !== log.event[row - 1]) searches++
    if (log.user[row] !== last && log.user[row] >= 0) users++
    last = log.user[row]
  }
  return { users, searches }
}
