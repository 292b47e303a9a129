import type { Findings } from "../findings.ts"
import type { Sent } from "../sent.ts"
import type { Release } from "./releases.ts"

/**
 * Checks paper mode. A release draws its user from the users who searched in its topic. So within a top-level topic, no
 * user is shown more often than they searched. A release shows the time of its own search.
 */
export function checkPools(releases: readonly Release[], sent: Sent, findings: Findings): void {
  const left = new Map<string, number>()
  for (const { topic, user, isBroken } of sent.searches) {
    if (topic === undefined || isBroken) continue
    const place = `${topic[0]} ${user}`
    left.set(place, (left.get(place) ?? 0) + 1)
  }
  for (const { seq, user, search, closedBy } of releases) {
    const place = `${search.topic?.[0]} ${user}`
    const count = left.get(place) ?? 0
    if (count === 0) findings.add("a user is shown more often than they searched", `number ${seq}`)
    left.set(place, count - 1)
    if (closedBy !== search.id) findings.add("a release has a different time than its search", `number ${seq}`)
  }
}
