import type { CsrSets } from "./set-users.ts"
import { orderByKey } from "./sort-segments.ts"

/**
 * Finds the sets with a Jaccard similarity of at least t to a given one. Sets of sizes a and b with o common members
 * have o / (a + b - o) ≥ t exactly when o ≥ t (a + b) / (1 + t). So the smaller set has at least t times the size of
 * the larger. Members have one common order, the rarest first. In it the first common member is among the first a - o +
 * 1 members of the set of size a and among the first b - o + 1 of the other, with o the smallest allowed. A member's
 * postings are sorted by size and place, so a search reads only possible candidates.
 */
export interface OverlapIndex {
  sets: CsrSets
  t: number
  /** Postings of member m: [starts[m], starts[m + 1]) of the arrays below, by size of the set, then by place in it. */
  starts: Uint32Array
  set: Int32Array
  place: Uint32Array
}

/** The smallest overlap that sets of these sizes need. Rounding may make it one too small, never too large. */
const leastCommon = (a: number, b: number, t: number) => Math.ceil((t * (a + b)) / (1 + t) - 1e-9)

/** Indexes sets whose members are numbered by ascending frequency; 0 < t ≤ 1. */
export function indexOverlaps(sets: CsrSets, t: number): OverlapIndex {
  const { offsets, members, size } = sets
  const bySize = orderBySize(sets)
  const starts = new Uint32Array(size + 1)
  const prefix = (length: number) => length - Math.ceil(t * length - 1e-9) + 1
  for (const set of bySize) {
    const end = offsets[set] + prefix(offsets[set + 1] - offsets[set])
    for (let i = offsets[set]; i < end; i++) starts[members[i] + 1]++
  }
  for (let m = 0; m < size; m++) starts[m + 1] += starts[m]
  const next = starts.slice(0, size)
  const [set, place] = [new Int32Array(starts[size]), new Uint32Array(starts[size])]
  // By size, and within a size by place: the sets of one size are read once for each place.
  for (let from = 0; from < bySize.length; ) {
    const length = sizeOf(sets, bySize[from])
    let to = from
    while (to < bySize.length && sizeOf(sets, bySize[to]) === length) to++
    for (let p = 0; p < prefix(length); p++) {
      for (let i = from; i < to; i++) {
        const at = next[members[offsets[bySize[i]] + p]]++
        set[at] = bySize[i]
        place[at] = p
      }
    }
    from = to
  }
  return { sets, t, starts, set, place }
}

const sizeOf = ({ offsets }: CsrSets, set: number) => offsets[set + 1] - offsets[set]

function orderBySize(sets: CsrSets): Uint32Array {
  const sizes = Int32Array.from({ length: sets.offsets.length - 1 }, (_, set) => sizeOf(sets, set))
  return orderByKey(sizes, sizes.reduce((most, size) => Math.max(most, size), 0) + 1)
}

/**
 * Calls `visit` with every set that may be similar enough. A set may come several times, and `set` itself comes too.
 */
export function visitOverlaps(index: OverlapIndex, set: number, visit: (other: number) => void): void {
  const { sets, t, starts } = index
  const { offsets, members } = sets
  const a = sizeOf(sets, set)
  const largest = Math.floor(a / t + 1e-9)
  for (let i = 0; i <= a - Math.ceil(t * a - 1e-9); i++) {
    const member = members[offsets[set] + i]
    const end = starts[member + 1]
    let at = firstOfSize(index, member, Math.ceil(t * a - 1e-9))
    while (at < end) {
      const b = sizeOf(sets, index.set[at])
      if (b > largest) break
      const common = leastCommon(a, b, t)
      if (i <= a - common) {
        for (; at < end && index.place[at] <= b - common && sizeOf(sets, index.set[at]) === b; at++)
          visit(index.set[at])
      }
      if (at < end && sizeOf(sets, index.set[at]) === b) at = firstOfSize(index, member, b + 1)
    }
  }
}

/** The first posting of a member whose set has at least this size. */
function firstOfSize({ sets, starts, set }: OverlapIndex, member: number, size: number): number {
  let low = starts[member]
  let high = starts[member + 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sizeOf(sets, set[middle]) < size) low = middle + 1
    else high = middle
  }
  return low
}

/** Jaccard distance of two sets whose members ascend: 1 - |a ∩ b| / |a ∪ b|, rounded once. */
export function jaccardDistance({ offsets, members }: CsrSets, a: number, b: number): number {
  let [i, j] = [offsets[a], offsets[b]]
  const [iEnd, jEnd] = [offsets[a + 1], offsets[b + 1]]
  const sizes = iEnd - i + jEnd - j
  let common = 0
  while (i < iEnd && j < jEnd) {
    const difference = members[i] - members[j]
    if (difference === 0) common++
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return (sizes - 2 * common) / (sizes - common)
}
