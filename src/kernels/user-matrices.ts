import { sortRange } from "./click-graph.ts"

/**
 * A sparse matrix for each user (Hong et al. 2009, Definition 3). User u has counts[i] query objects in cell cells[i],
 * for i in [offsets[u], offsets[u + 1]), with cells ascending, and totals[u] objects in all. A normalised entry is
 * counts[i] / totals[u].
 */
export interface UserMatrices {
  offsets: Uint32Array
  cells: Int32Array
  counts: Uint32Array
  totals: Uint32Array
  /** Cells are 0 … size - 1. */
  size: number
}

/** Builds the matrices from rows grouped by user, ascending. A row whose cell is -1 does not count. */
export function buildUserMatrices(
  { user, cell }: { user: Int32Array; cell: Int32Array },
  options: { users: number; size: number },
): UserMatrices {
  const { users, size } = options
  const offsets = new Uint32Array(users + 1)
  const totals = new Uint32Array(users)
  let kept = 0
  for (let row = 0; row < cell.length; row++) if (cell[row] >= 0) kept++
  const cells = new Int32Array(kept)
  const counts = new Uint32Array(kept)
  let entries = 0
  for (let row = 0, u = 0; u < users; u++) {
    const start = entries
    let end = start
    for (; row < user.length && user[row] === u; row++) if (cell[row] >= 0) cells[end++] = cell[row]
    totals[u] = end - start
    sortRange(cells, start, end)
    for (let i = start; i < end; i++) {
      if (entries > start && cells[entries - 1] === cells[i]) counts[entries - 1]++
      else {
        cells[entries] = cells[i]
        counts[entries++] = 1
      }
    }
    offsets[u + 1] = entries
  }
  return { offsets, cells: cells.slice(0, entries), counts: counts.slice(0, entries), totals, size }
}

/** The overlap of two matrices, Σ min(a_i / A, b_i / B), times A·B: a whole number, exact below 2⁵³. */
export function sharedObjects({ offsets, cells, counts, totals }: UserMatrices, a: number, b: number): number {
  let shared = 0
  for (let i = offsets[a], j = offsets[b]; i < offsets[a + 1] && j < offsets[b + 1]; ) {
    const difference = cells[i] - cells[j]
    if (difference === 0) shared += Math.min(counts[i] * totals[b], counts[j] * totals[a])
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return shared
}

/**
 * D(x, y) = ½ Σ |m_x - m_y| (eq. 1), which is 1 - Σ min(m_x, m_y) for matrices that sum to 1: a metric in [0, 1]. Two
 * empty matrices have distance 0. An empty and a non-empty matrix have distance 1.
 */
export function userDistance(matrices: UserMatrices, a: number, b: number): number {
  const { totals } = matrices
  if (totals[a] === 0 || totals[b] === 0) return totals[a] === totals[b] ? 0 : 1
  const whole = totals[a] * totals[b]
  return (whole - sharedObjects(matrices, a, b)) / whole
}
