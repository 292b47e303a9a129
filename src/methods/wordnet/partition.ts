import { collectDistinctUsers } from "../../kernels/distinct-users.ts"
import type { ConceptTree } from "./concept-tree.ts"

/** Items (searches) on the tree: the node and the user of each. The items of a user are contiguous. */
export interface TreeItems {
  at: Int32Array
  user: Int32Array
  /** Number of users. */
  users: number
  /** How many searches each item stands for (default 1). */
  weight?: Float64Array
}

/**
 * The finest partition of the items by the tree in which every part has at least k users. Returns, by node, the node
 * that represents the items at it; -1 everywhere if all items together have fewer than k users.
 *
 * Seen from the top: all items are one part at the root. A part is split at a child if the items that can be
 * represented at or below the child have k users. All other items stay at the parent. The partition is computed from
 * the leaves up: the items at a node are a part of their own if they have k users, and move to the parent otherwise. So
 * no part can be split further: the items of a part that come from below one child have fewer than k users.
 *
 * If too few items are left for the root, they are merged with another part, at the lowest node above both. The part is
 * the one for which the penalties of all items have the smallest sum (eq. 6 and 7 of Carpineto & Romano 2015). The gain
 * of a split is how much it reduces that sum.
 *
 * Deviation: items that are too rare at a node move up, even out of a part that was split. `splitGreedily` is the
 * paper's partition.
 */
export function partitionTree(tree: ConceptTree, items: TreeItems, { k }: { k: number }): Int32Array {
  const { root, parent, order } = tree
  const size = parent.length
  const own = collectDistinctUsers(items.at, items.user, { size })
  const seenAt = new Int32Array(items.users).fill(-1)
  const arrivals: Int32Array[][] = Array.from({ length: size }, () => [])
  const isPart = new Uint8Array(size)
  let tooFew = false // at the root
  for (let i = size - 1; i >= 0; i--) {
    const node = order[i]
    const here = own.users.subarray(own.offsets[node], own.offsets[node + 1])
    const users = distinctUsers([here, ...arrivals[node]], { seenAt, mark: node })
    arrivals[node] = []
    if (users.length === 0) continue
    if (users.length >= k) isPart[node] = 1
    else if (node === root) tooFew = true
    else arrivals[parent[node]].push(users)
  }
  const standsFor = new Int32Array(size)
  for (const node of order) standsFor[node] = node === root || isPart[node] === 1 ? node : standsFor[parent[node]]
  return tooFew ? joinRest(tree, items, standsFor) : standsFor
}

/** Lists each user once. `seenAt` has the last mark of each user, so no other call may use the same mark. */
export function distinctUsers(
  lists: readonly Int32Array[],
  { seenAt, mark }: { seenAt: Int32Array; mark: number },
): Int32Array {
  const distinct = new Int32Array(lists.reduce((sum, list) => sum + list.length, 0))
  let count = 0
  for (const list of lists) {
    for (const user of list) {
      if (seenAt[user] === mark) continue
      seenAt[user] = mark
      distinct[count++] = user
    }
  }
  return distinct.subarray(0, count)
}

/**
 * Merges the items left at the root with the part that makes it cheapest. Returns -1 everywhere if there is no other
 * part.
 */
function joinRest({ root, parent, leaves }: ConceptTree, { at, weight }: TreeItems, standsFor: Int32Array): Int32Array {
  const held = new Float64Array(standsFor.length)
  for (let item = 0; item < at.length; item++) held[standsFor[at[item]]] += weight === undefined ? 1 : weight[item]
  const penalty = leaves.map((count) => (count === 1 ? 0 : count)) // in leaves, so that sums are exact
  const above = lowestAbove(parent, new Set(at.filter((node) => standsFor[node] === root)))
  let least = Number.POSITIVE_INFINITY
  let joined = root
  let together = root
  for (let node = 0; node < held.length; node++) {
    if (held[node] === 0 || node === root) continue
    const shared = lowestAbove(parent, new Set([above, node]))
    const sum = (held[root] + held[node]) * penalty[shared] - held[node] * penalty[node]
    if (sum >= least) continue
    least = sum
    joined = node
    together = shared
  }
  if (joined === root) return standsFor.fill(-1)
  return standsFor.map((stands, node) => {
    if (stands !== root && stands !== joined) return stands
    return chainOf(parent, node).includes(together) ? together : root
  })
}

function chainOf(parent: Int32Array, node: number): number[] {
  const chain: number[] = []
  for (let at = node; at >= 0; at = parent[at]) chain.push(at)
  return chain
}

/** The lowest node that is an ancestor of all these nodes, or one of them. */
function lowestAbove(parent: Int32Array, nodes: ReadonlySet<number>): number {
  let [shared, ...more] = [...nodes]
  for (const node of more) {
    const chain = chainOf(parent, shared)
    shared = chainOf(parent, node).find((above) => chain.includes(above)) ?? shared
  }
  return shared
}
