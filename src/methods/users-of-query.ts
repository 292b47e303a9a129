import type { SearchLog } from "../log/search-log.ts"

/** Distinct users and searches of one query; a row without a user counts for nobody. */
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
