import { mixHash } from "../kernels/dictionary.ts"
import type { SearchLog } from "../log/search-log.ts"
import { hashText } from "./split-users.ts"

/**
 * Draws at most `most` of some rows, each of a different event, ascending. The draw depends only on user, query, time
 * and the seed: the same searches in another order give the same draw.
 */
export function drawSearches(log: SearchLog, rows: Int32Array, options: { most: number; seed: number }): Int32Array {
  const { most, seed } = options
  if (rows.length <= most) return rows
  const keys = new Float64Array(rows.length)
  rows.forEach((row, i) => {
    const user = hashText(log.users.bytes(log.user[row]), seed)
    const query = hashText(log.queries.bytes(log.query[row]), seed)
    const first = mixHash(user ^ Math.imul(query, 0x9e3779b1) ^ Math.imul(log.time[row], 0x85ebca77))
    const second = mixHash(query ^ Math.imul(user, 0x85ebca77) ^ Math.imul(log.time[row], 0x9e3779b1))
    keys[i] = first * 2 ** 21 + (second >>> 11) // 53 bits, so collisions are very unlikely
  })
  const bound = keys.slice().sort()[most - 1]
  return rows.filter((_, i) => keys[i] <= bound).slice(0, most)
}
