import { type RunContext, yieldAndReport } from "./context.ts"
import { indexUsers } from "./nearest-users.ts"
import { type UserMatrices, userDistance } from "./user-matrices.ts"

/** Groups of users: the group of each user, or -1 for none, and the centroid user of each group. */
export interface UserGroups {
  groupOf: Int32Array
  centroids: Int32Array
}

/** Options of user grouping. */
export interface GroupOptions {
  /** Smallest number of users in a group. */
  k: number
  /** The users to group, in the order in which they become centroids. */
  order: Uint32Array
  /** The same users: among users at equal distance, the first in this list comes first. */
  ties: Uint32Array
  /** Largest distance of a member from the centroid (default 1: everyone may join). */
  maxDistance?: number
}

/**
 * Constrained user clustering, Hong et al. 2009, §3.1. The first unassigned user in `order` with k - 1 unassigned users
 * within `maxDistance` becomes a centroid, and the nearest k - 1 join. This repeats while k are left. Everyone left
 * over joins the group of the nearest centroid (the first of equals) if it is within `maxDistance`, and otherwise is in
 * no group.
 *
 * Exact: the same groups as if each centroid were compared with every unassigned user. Fewer than k users make no
 * group.
 */
export async function groupUsers(
  matrices: UserMatrices,
  options: GroupOptions,
  context: RunContext,
): Promise<UserGroups> {
  const { k, order, maxDistance = 1 } = options
  const groupOf = new Int32Array(matrices.totals.length).fill(-1)
  const centroids: number[] = []
  const neighbours = openNeighbours(matrices, { ...options, maxDistance, groupOf })
  let left = order.length
  for (let place = 0; place < order.length && left >= k; place++) {
    if (place % 4096 === 0)
      await yieldAndReport(context, { stage: "grouping users", done: order.length - left, total: order.length })
    const centroid = order[place]
    if (groupOf[centroid] >= 0) continue
    const others = neighbours.find(centroid)
    if (others.length < k - 1) continue
    const group = centroids.push(centroid) - 1
    for (const user of [centroid, ...others]) {
      groupOf[user] = group
      neighbours.take(user)
    }
    left -= k
  }
  const nearest = openCentroids(matrices, centroids)
  for (let place = 0; place < order.length && centroids.length > 0; place++) {
    if (groupOf[order[place]] >= 0) continue
    const { group, distance } = nearest(order[place])
    if (distance <= maxDistance) groupOf[order[place]] = group
  }
  return { groupOf, centroids: Int32Array.from(centroids) }
}

/**
 * Finds the k - 1 nearest unassigned users within the largest distance. An index finds those who share a cell; the
 * others come after.
 */
function openNeighbours(
  matrices: UserMatrices,
  options: Required<GroupOptions> & { groupOf: Int32Array },
): { find(user: number): number[]; take(user: number): void } {
  const { k, ties, maxDistance, groupOf } = options
  const { totals } = matrices
  const tie = new Uint32Array(totals.length)
  const isGrouped = new Uint8Array(totals.length)
  ties.forEach((user, place) => {
    tie[user] = place
    isGrouped[user] = 1
  })
  const index = indexUsers(matrices, { tie })
  for (let user = 0; user < totals.length; user++) if (isGrouped[user] === 0) index.take(user)
  // Users who share no cell are at distance 1, but two users without any objects are at distance 0.
  const empty = ties.filter((user) => totals[user] === 0)
  const lists = { all: { users: ties, first: 0 }, empty: { users: empty, first: 0 } }
  const fill = (found: number[], from: number, { users, first }: { users: Uint32Array; first: number }) => {
    const isFound = new Set([from, ...found])
    for (let i = first; i < users.length && found.length < k - 1; i++) {
      if (groupOf[users[i]] < 0 && !isFound.has(users[i])) found.push(users[i])
    }
    return found
  }
  return {
    take: index.take,
    find(user) {
      if (k === 1) return []
      for (const list of Object.values(lists)) {
        while (list.first < list.users.length && groupOf[list.users[list.first]] >= 0) list.first++
      }
      // The user has not been taken out yet and may be among the results.
      const near = index.nearest(user, k).filter((other) => other !== user)
      const found = near.slice(0, k - 1).filter((other) => userDistance(matrices, user, other) <= maxDistance)
      if (totals[user] === 0) fill(found, user, lists.empty)
      return maxDistance < 1 ? found : fill(found, user, lists.all)
    },
  }
}

/**
 * Finds the centroid nearest to a user (the first of equals). Lists of each cell's centroids find those that share a
 * cell with the user, because with a largest distance many users may be left over.
 */
function openCentroids(
  matrices: UserMatrices,
  centroids: readonly number[],
): (user: number) => { group: number; distance: number } {
  const { offsets, cells, counts, totals } = matrices
  const groupsOf = new Map<number, number[]>() // by cell: group and count, alternating
  for (const [group, centroid] of centroids.entries()) {
    for (let i = offsets[centroid]; i < offsets[centroid + 1]; i++) {
      const list = groupsOf.get(cells[i])
      if (list === undefined) groupsOf.set(cells[i], [group, counts[i]])
      else list.push(group, counts[i])
    }
  }
  const firstEmpty = centroids.findIndex((centroid) => totals[centroid] === 0)
  const shared = new Float64Array(centroids.length)
  return (user) => {
    if (totals[user] === 0 && firstEmpty >= 0) return { group: firstEmpty, distance: 0 }
    const met: number[] = []
    for (let i = offsets[user]; i < offsets[user + 1]; i++) {
      const list = groupsOf.get(cells[i]) ?? []
      for (let at = 0; at < list.length; at += 2) {
        const group = list[at]
        if (shared[group] === 0) met.push(group)
        shared[group] += Math.min(list[at + 1] * totals[user], counts[i] * totals[centroids[group]])
      }
    }
    let [nearest, least] = [0, 1]
    for (const group of met) {
      const whole = totals[user] * totals[centroids[group]]
      const distance = (whole - shared[group]) / whole
      shared[group] = 0
      if (distance > least || (distance === least && group > nearest)) continue
      least = distance
      nearest = group
    }
    return { group: nearest, distance: least }
  }
}
