import type { SearchLog } from "../../log/search-log.ts"

const hour = 3600

/**
 * Times that a release may show without revealing when a member clicked. A period is public if at least k users of the
 * log clicked in it. The list has the start of the period for every click in a public period. A period is one hour. If
 * no hour is public, its length is doubled until some period is. If no period up to 136 years is public, the only time
 * is 1970.
 */
export function publicTimes(log: SearchLog, { k }: { k: number }): Int32Array {
  for (let unit = hour; unit < 2 ** 32; unit *= 2) {
    const periodOf = (row: number) => Math.floor(log.time[row] / unit)
    const users = new Map<number, { count: number; last: number }>()
    for (let row = 0; row < log.rows; row++) {
      if (log.url[row] < 0) continue
      const seen = users.get(periodOf(row))
      if (seen === undefined) users.set(periodOf(row), { count: 1, last: log.user[row] })
      else if (seen.last !== log.user[row]) {
        seen.count++
        seen.last = log.user[row]
      }
    }
    const isPublic = (row: number) => log.url[row] >= 0 && (users.get(periodOf(row))?.count ?? 0) >= k
    let count = 0
    for (let row = 0; row < log.rows; row++) if (isPublic(row)) count++
    if (count === 0) continue
    const times = new Int32Array(count)
    for (let row = 0, at = 0; row < log.rows; row++) if (isPublic(row)) times[at++] = periodOf(row) * unit
    return times
  }
  return Int32Array.of(0)
}
