import type { Kept } from "../exposure.ts"
import { chosen, type Generalisation, wholeSeed } from "../generalise.ts"
import { greedyIl } from "../greedy-il.ts"
import { bitsOf, scalePower } from "../metrics.ts"
import { holds, type RiskLimit } from "../risk.ts"
import type { SeedProfile } from "../seed-profile.ts"
import { solveTree, type TreeOptions } from "./solve-tree.ts"

/**
 * Weighs the information that a topic brings against its risk: finds the highest DP within the limits. It is exact if
 * families are small and approximate otherwise (docs/methods/personal.md). It is never worse than GreedyIL, which is a
 * candidate whenever the answer is not known to be the best.
 *
 * Each of several limits is solved by itself and gives a bound. A solution that also meets the other limits is the
 * best.
 */
export function generaliseTree(
  seed: SeedProfile,
  limits: readonly RiskLimit[],
  { combinations = 1024 }: Partial<TreeOptions> = {},
): Generalisation {
  const whole = wholeSeed(seed)
  if (holds(seed, limits, whole)) return chosen(whole, { gap: 0 })
  const candidates: Kept[] = []
  let bound = Number.POSITIVE_INFINITY
  for (const limit of limits) {
    const solution = solveTree(seed, limit, { combinations })
    if (solution === undefined) continue
    const { kept, slack } = solution
    const bits = bitsOf(seed, kept)
    bound = Math.min(bound, bits + slack)
    if (holds(seed, limits, kept)) {
      if (slack === 0) return chosen(kept, { gap: 0 })
      candidates.push(kept)
    } else candidates.push(greedyIl(seed, limits, { from: kept }).kept)
  }
  candidates.push(greedyIl(seed, limits).kept)
  let best: { kept: Kept; bits: number } | undefined
  for (const kept of candidates) {
    if (kept[0] === 0) continue
    const bits = bitsOf(seed, kept)
    if (best === undefined || bits > best.bits) best = { kept, bits }
  }
  if (best === undefined) return chosen(new Uint8Array(seed.size), { gap: 0 })
  return chosen(best.kept, { gap: scalePower(seed, Math.max(0, bound - best.bits)) })
}
