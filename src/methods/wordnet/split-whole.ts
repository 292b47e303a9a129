import { collectDistinctUsers } from "../../kernels/distinct-users.ts"
import type { ConceptTree } from "./concept-tree.ts"
import { distinctUsers, type TreeItems } from "./partition.ts"

/**
 * The paper's partition (Carpineto & Romano 2015, §2 and §4.4.1), as the node that stands for what is at each node; -1 for
 * all when the items have fewer than k users together. From the top, a part at a node is replaced by the parts below its
 * children and one for what is at the node itself, if each of these that is not empty has k users; else it stays whole.
 *
 * The paper splits the part of greatest information gain first and halts when no split is left. Whether a part can be split
 * depends on nothing but its own items, so every order ends in this partition.
 */
export function splitWhole(tree: ConceptTree, items: TreeItems, { k }: { k: number }): Int32Array {
  const { root, parent, order } = tree
  const size = parent.length
  const own = collectDistinctUsers(items.at, items.user, { size })
  const seenAt = new Int32Array(items.users).fill(-1)
  const below: Int32Array[][] = Array.from({ length: size }, () => [])
  const isTooSmall = (users: number) => users > 0 && users < k
  const isWhole = new Uint8Array(size) // one of the parts below would be too small
  let users = 0 // of all items
  for (let i = size - 1; i >= 0; i--) {
    const node = order[i]
    const here = own.users.subarray(own.offsets[node], own.offsets[node + 1])
    if (isTooSmall(here.length)) isWhole[node] = 1
    const all = distinctUsers([here, ...below[node]], { seenAt, mark: node })
    below[node] = []
    if (all.length === 0) continue
    if (node === root) users = all.length
    else below[parent[node]].push(all)
    if (node !== root && isTooSmall(all.length)) isWhole[parent[node]] = 1
  }
  const standsFor = new Int32Array(size).fill(-1)
  if (users < k) return standsFor
  for (const node of order) {
    const above = parent[node]
    standsFor[node] = node === root || (standsFor[above] === above && isWhole[above] === 0) ? node : standsFor[above]
  }
  return standsFor
}
