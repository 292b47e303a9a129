import type { RunContext } from "../../kernels/context.ts"
import { groupUsers } from "../../kernels/group-users.ts"
import { shuffle } from "../../kernels/random.ts"
import type { UserMatrices } from "../../kernels/user-matrices.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { UserTopics } from "./topic-counts.ts"

/**
 * Groups users with similar profiles, at least `groupSize` in each group. A group is a random user and the nearest
 * users who are not in a group yet, as in Hong et al. 2009, §3.1. Remaining users join the nearest centroid. Users
 * without a topic are in no group.
 *
 * The distance is the earth mover's distance on the tree of topics. A topic above `depth` is extended by a path of its
 * own down to `depth`. Returns the users of each group.
 */
export async function groupProfiles(
  topics: UserTopics,
  { taxonomy, groupSize, depth }: { taxonomy: Taxonomy; groupSize: number; depth: number },
  context: RunContext,
): Promise<number[][]> {
  const matrices = treeMatrices(topics, { taxonomy, depth })
  const order = Uint32Array.from(matrices.totals.keys()).filter((user) => matrices.totals[user] > 0)
  const ties = order.slice()
  shuffle(order, context.random)
  shuffle(ties, context.random)
  const { groupOf, centroids } = await groupUsers(matrices, { k: groupSize, order, ties }, context)
  const groups: number[][] = Array.from(centroids, () => [])
  groupOf.forEach((group, user) => {
    if (group >= 0) groups[group].push(user)
  })
  return groups
}

/**
 * Profiles as matrices whose distance D(x, y) = 1 - Σ min(x_v, y_v) is the earth mover's distance divided by 2·depth. A
 * search counts once for each topic on its path, and a path has `depth` topics. The mass below an edge is the count of
 * its lower end. Since all paths have the same length, Σ |x_v - y_v| = 2·depth·(1 - Σ min(x_v, y_v) / depth).
 */
export function treeMatrices(
  { offsets, nodes, counts }: UserTopics,
  { taxonomy, depth }: { taxonomy: Taxonomy; depth: number },
): UserMatrices {
  const users = offsets.length - 1
  const ends = new Uint32Array(users + 1)
  const totals = new Uint32Array(users)
  const cells: number[] = []
  const amounts: number[] = []
  for (let user = 0; user < users; user++) {
    const sums = new Map<number, number>()
    const add = (cell: number, amount: number) => sums.set(cell, (sums.get(cell) ?? 0) + amount)
    for (let i = offsets[user]; i < offsets[user + 1]; i++) {
      const missing = depth - taxonomy.depth[nodes[i]]
      if (missing > 0) add(taxonomy.size + nodes[i], counts[i] * missing)
      for (let node = nodes[i]; node > 0; node = taxonomy.parent[node]) add(node, counts[i])
      totals[user] += counts[i] * depth
    }
    for (const [cell, amount] of [...sums].sort(([a], [b]) => a - b)) {
      cells.push(cell)
      amounts.push(amount)
    }
    ends[user + 1] = cells.length
  }
  return {
    offsets: ends,
    cells: Int32Array.from(cells),
    counts: Uint32Array.from(amounts),
    totals,
    size: 2 * taxonomy.size,
  }
}
