import type { UserGroups } from "../../kernels/group-users.ts"
import { type UserMatrices, userDistance } from "../../kernels/user-matrices.ts"

/**
 * How similar the members of groups were before anything was changed. Centroids do not count as members. Groups with
 * nothing that can be shown do not count at all, since their members are alike only because they have nothing.
 */
export interface Likeness {
  members: number
  /** Sum of the distances D between each member and its centroid. */
  distance: number
  /** Members at distance 1: they share no pair of cluster and url with the centroid. */
  far: number
  /**
   * Groups whose members all share something with the centroid, and groups with at least one member who shares nothing.
   */
  similar: number
  filled: number
  /** Members by distance: 0, up to 0.1, up to 0.2 … below 1, and 1. */
  bins: Uint32Array
}

/** The labels of the bins of distances. */
export const likenessBins = ["0", ...Array.from({ length: 9 }, (_, i) => `up to 0.${i + 1}`), "below 1", "1"]

/** Measures the distances of members from the centroids of their groups, in the matrices of the log. */
export function likenessOf(matrices: UserMatrices, { groupOf, centroids }: UserGroups): Likeness {
  const found = { members: 0, distance: 0, far: 0, bins: new Uint32Array(likenessBins.length) }
  const isEmpty = (group: number) => matrices.totals[centroids[group]] === 0
  const isFilled = new Uint8Array(centroids.length)
  for (let user = 0; user < groupOf.length; user++) {
    const group = groupOf[user]
    if (group < 0 || centroids[group] === user || isEmpty(group)) continue
    const distance = userDistance(matrices, user, centroids[group])
    found.members++
    found.distance += distance
    found.bins[distance === 1 ? likenessBins.length - 1 : Math.ceil(distance * 10)]++
    if (distance < 1) continue
    found.far++
    isFilled[group] = 1
  }
  const filled = isFilled.reduce((sum, one) => sum + one, 0)
  const shown = centroids.filter((centroid) => matrices.totals[centroid] > 0).length
  return { ...found, similar: shown - filled, filled }
}
