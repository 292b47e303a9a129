import { breathe, type RunContext } from "./context.ts"
import { indexUsers } from "./nearest-users.ts"
import { type UserMatrices, userDistance } from "./user-matrices.ts"

/** Groups of users: the group of each, -1 where a user is in none, and the centroid user of each group. */
export interface UserGroups {
  groupOf: Int32Array
  centroids: Int32Array
}

/**
 * Constrained user clustering, Hong et al. 2009, §3.1: the first unassigned user in `order` is a centroid, the k - 1
 * unassigned users nearest to him join him, and so on while k are left; who is left over joins the group of the nearest
 * centroid, of equals the first. Only who is in `order` is grouped. Of users at equal distance those of the fewest query
 * objects come first, then those of the smallest number: what is far anyway should cost the least.
 *
 * Exact: the same groups as comparing each centroid with every unassigned user. Fewer than k users make no group.
 */
export async function groupUsers(
  matrices: UserMatrices,
  options: { k: number; order: Uint32Array },
  context: RunContext,
): Promise<UserGroups> {
  const { k, order } = options
  const { totals } = matrices
  const byTie = order.slice().sort((a, b) => totals[a] - totals[b] || a - b)
  const tie = new Uint32Array(totals.length)
  byTie.forEach((user, place) => {
    tie[user] = place
  })
  const index = indexUsers(matrices, { tie })
  const isOrdered = new Uint8Array(totals.length)
  for (const user of order) isOrdered[user] = 1
  for (let user = 0; user < totals.length; user++) if (isOrdered[user] === 0) index.take(user)
  const groupOf = new Int32Array(totals.length).fill(-1)
  const centroids: number[] = []
  const join = (user: number, group: number) => {
    groupOf[user] = group
    index.take(user)
  }
  let [left, firstFar] = [order.length, 0]
  for (let place = 0; place < order.length && left >= k; place++) {
    if (place % 4096 === 0)
      await breathe(context, { stage: "grouping users", done: order.length - left, total: order.length })
    if (groupOf[order[place]] >= 0) continue
    const group = centroids.push(order[place]) - 1
    join(order[place], group)
    const near = k === 1 ? [] : index.nearest(order[place], k - 1)
    for (const user of near) join(user, group)
    // Who shares no cell is as far as can be.
    for (let missing = k - 1 - near.length; missing > 0; missing--) {
      while (groupOf[byTie[firstFar]] >= 0) firstFar++
      join(byTie[firstFar], group)
    }
    left -= k
  }
  for (let place = 0; place < order.length && centroids.length > 0; place++) {
    if (groupOf[order[place]] < 0) groupOf[order[place]] = nearestCentroid(matrices, order[place], centroids)
  }
  return { groupOf, centroids: Int32Array.from(centroids) }
}

function nearestCentroid(matrices: UserMatrices, user: number, centroids: readonly number[]): number {
  let [nearest, least] = [0, Number.POSITIVE_INFINITY]
  for (const [group, centroid] of centroids.entries()) {
    const distance = userDistance(matrices, user, centroid)
    if (distance >= least) continue
    least = distance
    nearest = group
  }
  return nearest
}
