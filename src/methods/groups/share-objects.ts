import type { UserMatrices } from "../../kernels/user-matrices.ts"
import type { Cells } from "./number-cells.ts"
import type { GroupMode } from "./options.ts"

/**
 * How many query objects a member gets in each cell of the centroid. They get none in any other cell (Hong et al. 2009,
 * §3.2). c_i and C are the centroid's objects in cell i and in total; n_i and N are the member's.
 *
 * - identical: the numbers of the centroid.
 * - exact: a multiple of c_i / g, with g the greatest common divisor of all c_i. These are the smallest numbers with
 *   the centroid's proportions. The multiple is the positive one whose total is nearest to the member's own; of two
 *   equally near, the smaller. So D = 0.
 * - paper: eq. 2 adds ⌈c_i·N / C - n_i⌉ if the member has less, eq. 3 suppresses ⌊n_i - c_i·N / C⌋ if they have more.
 *   Either way ⌈c_i·N / C⌉ are left. Totals grow by up to one object per cell.
 * - totals: N in total, as §3.2 requires, by largest remainder: ⌊c_i·N / C⌋, and one more where c_i·N / C is furthest
 *   above that. Equal remainders are ordered by url, then by the first query of the cluster, both in the order of the
 *   log.
 *
 * A member with nothing that can be shown counts as having a single object.
 */
export function shareObjects(
  matrices: UserMatrices,
  { centroid, mode, cells }: { centroid: number; mode: GroupMode; cells: Cells },
): (member: number) => Uint32Array {
  const { offsets, counts, totals } = matrices
  const own = counts.subarray(offsets[centroid], offsets[centroid + 1])
  if (mode === "identical" || own.length === 0) return () => own
  const totalOf = (member: number) => Math.max(1, totals[member])
  const whole = totals[centroid]
  if (mode === "paper") {
    // Integer arithmetic, since a rounded quotient could exceed an integer and be rounded up again.
    return (member) => own.map((count) => Math.floor((count * totalOf(member) + whole - 1) / whole))
  }
  if (mode === "totals") {
    const ofCentroid = matrices.cells.subarray(offsets[centroid], offsets[centroid + 1])
    const order = orderCells(ofCentroid, cells)
    return (member) => largestRemainder(own, { whole, total: totalOf(member), order })
  }
  const divisor = own.reduce(greatestCommonDivisor, 0)
  const least = whole / divisor
  return (member) => {
    const times = Math.max(1, Math.floor((2 * totals[member] + least - 1) / (2 * least)))
    return own.map((count) => (count / divisor) * times)
  }
}

/**
 * Integers that sum to `total`, in proportion to counts that sum to `whole`. `order` decides between equal remainders.
 */
function largestRemainder(
  counts: Uint32Array,
  { whole, total, order }: { whole: number; total: number; order: Uint32Array },
): Uint32Array {
  const shares = counts.map((count) => Math.floor((count * total) / whole))
  const remainder = Float64Array.from(counts, (count) => (count * total) % whole)
  const missing = total - shares.reduce((sum, share) => sum + share, 0)
  if (missing === 0) return shares
  const byRemainder = order.slice().sort((a, b) => remainder[b] - remainder[a]) // stable
  for (const place of byRemainder.subarray(0, missing)) shares[place]++
  return shares
}

/** Indices of the cells, sorted by url and then by the first query of the cluster. */
function orderCells(ofCentroid: Int32Array, { url, firstQuery }: Cells): Uint32Array {
  const places = Uint32Array.from(ofCentroid.keys())
  return places.sort((a, b) => {
    const [x, y] = [ofCentroid[a], ofCentroid[b]]
    return url[x] - url[y] || firstQuery[x] - firstQuery[y]
  })
}

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y > 0) [x, y] = [y, x % y]
  return x
}
