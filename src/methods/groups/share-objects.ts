import type { UserMatrices } from "../../kernels/user-matrices.ts"
import type { GroupMode } from "./options.ts"

/**
 * How many query objects a member gets in each cell of the centroid; in all other cells he gets none (Hong et al. 2009, §3.2).
 *
 * identical: those of the centroid.
 * exact: a multiple of the least numbers that have the centroid's proportions, c_i / g with g the greatest common divisor of
 * all c_i; that multiple whose total is nearest to the member's own, of two the smaller, and not 0. So D = 0.
 * paper: eq. 2 adds ⌈c_i·N / C - n_i⌉ where the member has less, eq. 3 suppresses ⌊n_i - c_i·N / C⌋ where he has more;
 * either way ⌈c_i·N / C⌉ are left. The totals grow by up to one object a cell.
 *
 * A member who has nothing that can be shown counts as one with a single object.
 */
export function shareObjects(
  matrices: UserMatrices,
  centroid: number,
  mode: GroupMode,
): (member: number) => Uint32Array {
  const { offsets, counts, totals } = matrices
  const own = counts.subarray(offsets[centroid], offsets[centroid + 1])
  if (mode === "identical") return () => own
  if (mode === "paper") {
    return (member) => {
      const total = Math.max(1, totals[member])
      // In whole numbers, since a quotient may be rounded up over a whole one.
      return own.map((count) => Math.floor((count * total + totals[centroid] - 1) / totals[centroid]))
    }
  }
  const divisor = own.reduce(greatestCommonDivisor, 0)
  const least = totals[centroid] / divisor
  return (member) => {
    const times = Math.max(1, Math.floor((2 * totals[member] + least - 1) / (2 * least)))
    return own.map((count) => (count / divisor) * times)
  }
}

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y > 0) [x, y] = [y, x % y]
  return x
}
