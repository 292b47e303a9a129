import type { SearchLog } from "../log/search-log.ts"
import type { AuditedClusters, AuditedGroups } from "./groups-audit.ts"
import { createMatrixMaker, type Matrix, userStarts } from "./groups-matrices.ts"

/** Distances between members and centroids in the original. */
export interface WrongDistances {
  /** The largest distance of a member from the centroid of its group. */
  largest: number
  /** Users with a click who are in no group although a centroid is within the bound. */
  missed: number
}

/**
 * Compares every member with the centroid of its group, and every user in no group with the centroids that share a cell
 * with them.
 */
export function measureDistances(
  {
    log,
    groups,
    clusters,
    cells,
  }: { log: SearchLog; groups: AuditedGroups; clusters: AuditedClusters; cells: Float64Array },
  bound: number,
): WrongDistances {
  const starts = userStarts(log)
  const matrixAt = createMatrixMaker(log, clusters, cells)
  const matrixOf = (user: number) => matrixAt(starts[user], starts[user + 1])
  const centroids = groups.centroids.map((user) => (user < 0 ? undefined : matrixOf(user)))
  const isListed = new Set(groups.members.flat())
  const found = { largest: 0, missed: 0 }
  for (const [group, members] of groups.members.entries()) {
    const centroid = centroids[group]
    if (centroid === undefined) continue
    for (const user of members) found.largest = Math.max(found.largest, distanceOf(matrixOf(user), centroid))
  }
  const groupsWith = new Map<number, number[]>()
  for (const [group, centroid] of centroids.entries()) {
    for (const cell of centroid?.cells ?? []) {
      const list = groupsWith.get(cell)
      if (list === undefined) groupsWith.set(cell, [group])
      else list.push(group)
    }
  }
  const hasEmpty = centroids.some((centroid) => centroid?.total === 0)
  for (let user = 0; user < log.users.size; user++) {
    if (isListed.has(user) || !hasClick(log, starts[user], starts[user + 1])) continue
    const own = matrixOf(user)
    const near = new Set(own.cells.flatMap((cell) => groupsWith.get(cell) ?? []))
    const isNear = [...near].some((group) => {
      const centroid = centroids[group]
      return centroid !== undefined && distanceOf(own, centroid) <= bound
    })
    if (isNear || (own.total === 0 && hasEmpty)) found.missed++
  }
  return found
}

function hasClick({ url }: SearchLog, from: number, to: number): boolean {
  for (let row = from; row < to; row++) if (url[row] >= 0) return true
  return false
}

/** D of eq. 1; 0 for two empty matrices. */
function distanceOf(a: Matrix, b: Matrix): number {
  if (a.total === 0 || b.total === 0) return a.total === b.total ? 0 : 1
  const other = new Map(b.cells.map((cell, i) => [cell, b.counts[i]]))
  let common = 0
  for (const [i, cell] of a.cells.entries()) common += Math.min(a.counts[i] * b.total, (other.get(cell) ?? 0) * a.total)
  return (a.total * b.total - common) / (a.total * b.total)
}
