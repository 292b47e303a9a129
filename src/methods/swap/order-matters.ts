import type { ArrivingRecords } from "./auto-depth.ts"
import type { Swapped } from "./swap-log.ts"

/**
 * True if another order of searches of the same second could change which searches of a category leave. That order is
 * drawn for each release. The searches of a second leave the same state behind in every order if no cell closed and
 * nothing was refused among them, if they are of different users, and if no text is held back until it has enough
 * users. Otherwise the answer is true, although the order may not matter after all.
 */
export function orderMatters(
  { user, time }: ArrivingRecords,
  { closing, refused, as }: Swapped,
  { minQueryUsers }: { minQueryUsers: number },
): boolean {
  const closes = new Uint8Array(user.length)
  for (let record = 0; record < user.length; record++) if (as[record] >= 0) closes[closing[record]] = 1
  for (let from = 0, to = 0; from < user.length; from = to) {
    const users = new Set<number>()
    let isCritical = minQueryUsers > 1
    for (to = from; to < user.length && time[to] === time[from]; to++) {
      isCritical ||= closes[to] === 1 || refused[to] !== 0 || users.has(user[to])
      users.add(user[to])
    }
    if (to - from > 1 && isCritical) return true
  }
  return false
}
