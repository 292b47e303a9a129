import { laplaceProbability, laplaceUpperTail } from "../../kernels/noise/laplace-distribution.ts"
import { type DpMechanism, ledgerNumber } from "../../methods/dp-guarantee.ts"

/** The exact count behind a noisy one: the number of users, and the sum of what they add. */
export interface ExactCount {
  users: number
  total: number
}

/**
 * The probability that a mechanism shows `noisy` for an exact count, or shows nothing (undefined). The noise is as its
 * ledger states. It is added if there are enough users or the key is public. The count is shown if it reaches the
 * threshold, or if separate noise selects the key.
 */
export function createChance(mechanism: DpMechanism) {
  const { minUsers, threshold, tau, noise, selection } = mechanism
  const scale = ledgerNumber(mechanism.scale)
  const most = noise === "truncated-geometric" && tau !== null ? tau - 1 : undefined
  const beyond = most === undefined ? 0 : laplaceUpperTail(most + 1, scale)
  const exactly = (x: number) =>
    most !== undefined && Math.abs(x) > most ? 0 : laplaceProbability(x, scale) / (1 - 2 * beyond)
  const below = (x: number) => {
    if (most !== undefined && x > most) return 1
    if (most !== undefined && x <= -most) return 0
    // P(X < x) = P(X > −x) by symmetry. This keeps precision where the probability is small.
    return (laplaceUpperTail(1 - x, scale) - beyond) / (1 - 2 * beyond)
  }
  return (noisy: number | undefined, { users, total }: ExactCount, isPublic: boolean): number => {
    if (!isPublic && users < Math.max(1, minUsers)) return noisy === undefined ? 1 : 0
    if (selection !== undefined) {
      const [least, spread] = [selection.threshold - total, ledgerNumber(selection.scale)]
      if (noisy === undefined) return laplaceUpperTail(1 - least, spread)
      return laplaceUpperTail(least, spread) * exactly(noisy - total)
    }
    if (noisy !== undefined) return exactly(noisy - total)
    return threshold === null ? 0 : below(threshold - total)
  }
}
