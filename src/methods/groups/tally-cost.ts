import type { UserMatrices } from "../../kernels/user-matrices.ts"

/** What making the members of groups alike took. */
export interface GroupCost {
  /** Own query objects that members kept in their cells, got there beyond their own, and did not keep. */
  kept: number
  added: number
  suppressed: number
  /** Own objects that are shown under another text of the same cluster and url. */
  replaced: number
  /** The largest D that remains between a member and the centroid of his group. */
  distance: number
  /** The largest change of a member's number of query objects, of those that could be shown. */
  change: number
  /** Users of groups of which nothing can be shown. */
  emptyUsers: number
}

export const zeroCost = (): GroupCost => ({
  kept: 0,
  added: 0,
  suppressed: 0,
  replaced: 0,
  distance: 0,
  change: 0,
  emptyUsers: 0,
})

/** Adds what one member cost, who has `counts` objects in the cells of the centroid and no others. */
export function tallyMember(
  { offsets, cells, counts, totals }: UserMatrices,
  member: { user: number; centroid: number; counts: Uint32Array },
  cost: GroupCost,
): void {
  const { user, centroid, counts: given } = member
  let [total, kept, shared] = [0, 0, 0]
  for (const count of given) total += count
  for (let i = offsets[centroid], j = offsets[user]; i < offsets[centroid + 1]; i++) {
    while (j < offsets[user + 1] && cells[j] < cells[i]) j++
    const own = j < offsets[user + 1] && cells[j] === cells[i] ? counts[j] : 0
    const now = given[i - offsets[centroid]]
    kept += Math.min(own, now)
    shared += Math.min(now * totals[centroid], counts[i] * total)
  }
  cost.kept += kept
  cost.added += total - kept
  cost.suppressed += totals[user] - kept
  cost.change = Math.max(cost.change, Math.abs(total - totals[user]))
  if (total === 0) cost.emptyUsers++
  else {
    const whole = total * totals[centroid]
    cost.distance = Math.max(cost.distance, (whole - shared) / whole)
  }
}
