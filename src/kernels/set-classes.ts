import { sortRange } from "./click-graph.ts"
import { mixHash, randomHashSeed } from "./dictionary.ts"
import type { CsrSets } from "./set-users.ts"
import { orderByKey } from "./sort-segments.ts"

/** The distinct sets, in the order of the heaviest given set that is equal to each. */
export interface SetClasses extends CsrSets {
  /** The class of each given set, or -1 if it is empty. */
  classOf: Int32Array
}

/**
 * Groups equal sets into classes. Classes are numbered by the descending weight of their heaviest set, and among equals
 * by the number of that set. The members of a class are ranks, the rarest first. A member's rank is its place by the
 * number of classes that have it, and among equals by its own number.
 */
export function classifySets(sets: CsrSets, options: { weight: ArrayLike<number> }): SetClasses {
  const { offsets, members, size } = sets
  const order = orderByWeight(sets, options.weight)
  const classOf = new Int32Array(offsets.length - 1).fill(-1)
  const first = new Int32Array(order.length)
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, order.length * 1.5)))
  const table = new Int32Array(capacity)
  const seed = randomHashSeed()
  let classes = 0
  for (const set of order) {
    let hash = seed
    for (let i = offsets[set]; i < offsets[set + 1]; i++) hash = mixHash(hash ^ Math.imul(members[i] + 1, 0x9e3779b1))
    let slot = hash & (capacity - 1)
    while (table[slot] !== 0 && !equalSets(sets, first[table[slot] - 1], set)) slot = (slot + 1) & (capacity - 1)
    if (table[slot] === 0) {
      first[classes] = set
      table[slot] = ++classes
    }
    classOf[set] = table[slot] - 1
  }
  return { ...rankMembers(sets, first.subarray(0, classes)), classOf, size }
}

/** The sets that have a member, by descending weight, then by number. */
function orderByWeight({ offsets }: CsrSets, weight: ArrayLike<number>): Uint32Array {
  let heaviest = 0
  for (let set = 0; set + 1 < offsets.length; set++) heaviest = Math.max(heaviest, weight[set])
  const lightness = Int32Array.from({ length: offsets.length - 1 }, (_, set) => heaviest - weight[set])
  return orderByKey(lightness, heaviest + 1).filter((set) => offsets[set + 1] > offsets[set])
}

function equalSets({ offsets, members }: CsrSets, a: number, b: number): boolean {
  const length = offsets[a + 1] - offsets[a]
  if (offsets[b + 1] - offsets[b] !== length) return false
  for (let i = 0; i < length; i++) if (members[offsets[a] + i] !== members[offsets[b] + i]) return false
  return true
}

/** The chosen sets with ranks instead of members, ascending within a set. */
function rankMembers({ offsets, members, size }: CsrSets, chosen: Int32Array): Pick<CsrSets, "offsets" | "members"> {
  const frequency = new Int32Array(size)
  const starts = new Uint32Array(chosen.length + 1)
  chosen.forEach((set, i) => {
    for (let at = offsets[set]; at < offsets[set + 1]; at++) frequency[members[at]]++
    starts[i + 1] = starts[i] + offsets[set + 1] - offsets[set]
  })
  const rankOf = new Int32Array(size)
  orderByKey(frequency, chosen.length + 1).forEach((member, rank) => {
    rankOf[member] = rank
  })
  const ranks = new Int32Array(starts[chosen.length])
  chosen.forEach((set, i) => {
    for (let at = offsets[set], to = starts[i]; at < offsets[set + 1]; at++, to++) ranks[to] = rankOf[members[at]]
    sortRange(ranks, starts[i], starts[i + 1])
  })
  return { offsets: starts, members: ranks }
}
