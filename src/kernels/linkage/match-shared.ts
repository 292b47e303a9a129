import { SparseVector } from "../retrieval/sparse-vector.ts"
import type { CsrSets } from "../set-users.ts"
import type { ProfileMatch } from "./match-profiles.ts"

/**
 * Similarity of a set to each set of a collection: the sum of ln(n / n_f) over the members f that they share, where n
 * is the number of sets and n_f the number that contain f. A member of all sets adds nothing. The arrays of a match are
 * valid until the next match.
 */
export function createSharedMatcher({ offsets, members, size }: CsrSets): (own: Iterable<number>) => ProfileMatch {
  const sets = offsets.length - 1
  const starts = new Uint32Array(size + 1)
  for (const member of members) starts[member + 1]++
  for (let member = 0; member < size; member++) starts[member + 1] += starts[member]
  const holders = new Int32Array(members.length)
  const next = starts.slice()
  for (let set = 0; set < sets; set++) {
    for (let i = offsets[set]; i < offsets[set + 1]; i++) holders[next[members[i]]++] = set
  }
  const sum = new SparseVector(sets)
  const similarity = new Float64Array(sets)
  return (own) => {
    sum.clear()
    for (const member of own) {
      const weight = Math.log(sets / (starts[member + 1] - starts[member]))
      for (let i = starts[member]; i < starts[member + 1]; i++) sum.add(holders[i], weight)
    }
    const users = sum.touched.subarray(0, sum.count)
    for (let i = 0; i < users.length; i++) similarity[i] = sum.values[users[i]]
    return { users, similarity: similarity.subarray(0, users.length) }
  }
}
