import { type RandomSource, shuffle } from "../kernels/random.ts"
import { narrowLog } from "./assemble-log.ts"
import type { SearchLog } from "./search-log.ts"

/**
 * The log of some users, each with all their rows. Users are drawn at random, one after the other, until the next one
 * would make it more than `rows` rows. Returns the log itself if it is no larger than that or has no users.
 */
export function sampleUsers(log: SearchLog, options: { rows: number }, random: RandomSource): SearchLog {
  if (log.rows <= options.rows || log.users.size === 0) return log
  const rowsOf = new Uint32Array(log.users.size)
  for (const user of log.user) rowsOf[user]++
  const order = Uint32Array.from(rowsOf, (_, user) => user)
  shuffle(order, random)
  const isDrawn = new Uint8Array(log.users.size)
  let count = 0
  for (const user of order) {
    if (count + rowsOf[user] > options.rows) {
      if (count > 0) break
      continue // this user alone has too many rows: draw another
    }
    isDrawn[user] = 1
    count += rowsOf[user]
  }
  const rows = new Uint32Array(count)
  for (let row = 0, at = 0; row < log.rows; row++) if (isDrawn[log.user[row]] === 1) rows[at++] = row
  return narrowLog(log, rows)
}
