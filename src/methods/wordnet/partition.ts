import { collectDistinctUsers } from "../../kernels/distinct-users.ts"
import type { ConceptTree } from "./concept-tree.ts"

/** Items (searches) on the tree: where each is and whose it is; the items of a user stand together. */
export interface TreeItems {
  at: Int32Array
  user: Int32Array
  /** How many users there are. */
  users: number
}

/**
 * The finest partition of the items by the tree in which every part has at least k users, as the node that stands for
 * what is at each node; -1 for all when the items have fewer than k users together.
 *
 * From the top it reads: all items are one part at the root; a part is split at a child when the items that can stand
 * below the child have k users, and all others stay behind at the parent. It is found from the leaves up: what is at a
 * node is a part of its own when it has k users, and moves to the parent when it has not. So no part can be split further:
 * what a part holds from below a child has fewer than k users. Where too few are left for the root, they become one part
 * with another, at the lowest node above both: with the one for which the penalties of all items have the least sum (eq. 6
 * and 7 of Carpineto & Romano 2015). The gain of a split is what it takes off that sum.
 *
 * Deviation: here what is too rare at a node moves up, also out of a part that was split. `splitGreedily` is the paper's
 * partition.
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

/** Each user once; `seenAt` remembers by user the last mark, which no other call may use. */
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

/** What was left at the root as one part with the part that makes it cheapest; -1 for all when there is no other part. */
function joinRest({ root, parent, leaves }: ConceptTree, { at }: TreeItems, standsFor: Int32Array): Int32Array {
  const held = new Float64Array(standsFor.length)
  for (const node of at) held[standsFor[node]]++
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

/** The lowest node that all these are at or below. */
function lowestAbove(parent: Int32Array, nodes: ReadonlySet<number>): number {
  let [shared, ...more] = [...nodes]
  for (const node of more) {
    const chain = chainOf(parent, shared)
    shared = chainOf(parent, node).find((above) => chain.includes(above)) ?? shared
  }
  return shared
}
