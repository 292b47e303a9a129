import { collectDistinctUsers } from "../../kernels/distinct-users.ts"
import type { ConceptTree } from "./concept-tree.ts"
import { distinctUsers, type TreeItems } from "./partition.ts"

/**
 * The paper's partition (Carpineto & Romano 2015, §2 and §4.4.1). Returns, by node, the node that represents the items
 * at it; -1 everywhere if all items together have fewer than k users.
 *
 * All items are one part at the root. Repeatedly, the items below a child become a part of their own. A split is
 * allowed if these items have k users, and the rest of the part has k users or is empty. Of all allowed splits, the one
 * with the greatest information gain is made. The gain is how much the split reduces the penalties (eq. 6) of all
 * items. Of equals, the split at the child with the lowest number is made.
 *
 * A new part holds all items below its node, and splitting one part does not change another. So the splits of each node
 * are found independently, the child of greatest gain first. A child that cannot be split off now cannot be split off
 * later either.
 */
export function splitGreedily(tree: ConceptTree, items: TreeItems, { k }: { k: number }): Int32Array {
  const { root, parent, order } = tree
  const size = parent.length
  const own = collectDistinctUsers(items.at, items.user, { size })
  const itemsBelow = new Float64Array(size)
  for (const node of items.at) itemsBelow[node]++
  const seenAt = new Int32Array(items.users).fill(-1)
  const inRest = new Int32Array(items.users) // by user: how many lists of the part being split contain the user
  const below: { child: number; users: Int32Array }[][] = Array.from({ length: size }, () => [])
  const isSplit = new Uint8Array(size)
  let users = 0 // of all items
  for (let i = size - 1; i >= 0; i--) {
    const node = order[i]
    const here = own.users.subarray(own.offsets[node], own.offsets[node + 1])
    const lists = [here, ...below[node].map((one) => one.users)]
    const all = distinctUsers(lists, { seenAt, mark: node })
    if (all.length > 0) {
      const gainOf = (child: number) => itemsBelow[child] * (lossAt(tree, node) - lossAt(tree, child))
      const children = below[node].sort((a, b) => gainOf(b.child) - gainOf(a.child) || a.child - b.child)
      for (const child of splitOff(children, { lists, inRest, users: all.length, k })) isSplit[child] = 1
    }
    below[node] = []
    if (node === root) users = all.length
    else if (all.length > 0) {
      below[parent[node]].push({ child: node, users: all })
      itemsBelow[parent[node]] += itemsBelow[node]
    }
  }
  const standsFor = new Int32Array(size).fill(-1)
  if (users < k) return standsFor
  for (const node of order) {
    const above = parent[node]
    standsFor[node] = node === root || (standsFor[above] === above && isSplit[node] === 1) ? node : standsFor[above]
  }
  return standsFor
}

/** Eq. 6 times the leaves of the tree: counted in leaves, so that sums are exact. */
const lossAt = ({ leaves }: ConceptTree, node: number) => (leaves[node] === 1 ? 0 : leaves[node])

/** The children that become parts, tried in the given order. */
function splitOff(
  children: readonly { child: number; users: Int32Array }[],
  { lists, inRest, ...options }: { lists: readonly Int32Array[]; inRest: Int32Array; users: number; k: number },
): number[] {
  const { k } = options
  let rest = options.users
  for (const list of lists) for (const user of list) inRest[user]++
  const found: number[] = []
  for (const { child, users } of children) {
    if (users.length < k) continue
    let leaving = 0
    for (const user of users) if (inRest[user] === 1) leaving++
    if (rest - leaving > 0 && rest - leaving < k) continue
    rest -= leaving
    for (const user of users) inRest[user]--
    found.push(child)
  }
  for (const list of lists) for (const user of list) inRest[user] = 0
  return found
}
