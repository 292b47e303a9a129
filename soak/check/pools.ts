import type { Findings } from "../findings.ts"
import type { Sent } from "../sent.ts"
import type { Release } from "./releases.ts"

/**
 * In paper mode a release takes a user out of the pool of its topic, which must hold more than k users then. The pool cannot be
 * seen; it is part of what was sent in the topic at the top and was not shown yet. So a user is shown at most as often as they
 * searched, and where records were taken in the order they were sent, more than k users are in that larger pool.
 */
export function checkPools(
  releases: readonly Release[],
  sent: Sent,
  { isOrdered, findings }: { isOrdered: boolean; findings: Findings },
): void {
  const pools = new Map<string, Map<string, number>>()
  let next = 0
  for (const { seq, user, search, closedBy } of releases) {
    for (; next <= (isOrdered ? closedBy : sent.searches.length - 1); next++) {
      const came = sent.searches[next]
      if (came?.topic === undefined || came.isBroken) continue
      const pool = poolOf(pools, came.topic)
      pool.set(came.user, (pool.get(came.user) ?? 0) + 1)
    }
    const pool = poolOf(pools, search.topic ?? [])
    const least = Math.min(...sent.settingsOf(closedBy).map(({ k }) => k))
    if (pool.size <= least) findings.add("a search left while k users or fewer waited", `number ${seq}`)
    const count = pool.get(user)
    if (count === undefined) findings.add("a user is shown more often than they searched", `number ${seq}`)
    else if (count === 1) pool.delete(user)
    else pool.set(user, count - 1)
  }
}

function poolOf(pools: Map<string, Map<string, number>>, [top = ""]: readonly string[]): Map<string, number> {
  const known = pools.get(top)
  if (known !== undefined) return known
  const pool = new Map<string, number>()
  pools.set(top, pool)
  return pool
}
