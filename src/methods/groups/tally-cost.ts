import type { UserMatrices } from "../../kernels/user-matrices.ts"

/** What it cost to make the members of groups alike. */
export interface GroupCost {
  /**
   * Own query objects that members kept in their cells, objects that were added, and own objects that were suppressed.
   */
  kept: number
  added: number
  suppressed: number
  /** Own objects that are shown with another text of the same cluster and url. */
  replaced: number
  /** The largest D that remains between a member and the centroid of its group. */
  distance: number
  /** The largest change in a member's number of query objects. Only objects that could be shown count. */
  change: number
  /** Users of groups with nothing that can be shown. */
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

/** Adds the cost of one member, who has `counts` objects in the cells of the centroid and no others. */
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
