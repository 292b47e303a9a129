import type { CostLayer } from "./cost-layer.ts"
import type { Kept } from "./exposure.ts"
import type { SeedProfile } from "./seed-profile.ts"

/**
 * Forbidding (§3.2), the baseline that the paper argues against: the whole seed profile except the subtrees of
 * sensitive topics with sen(s) > `above`. It does not consider risk. The ancestors of a sensitive topic stay, and the
 * topic can be guessed from them (§3.4), so use the result only for comparison and never show it to anyone. `costs`
 * must be those of the seed's profile.
 */
export function forbidSensitive(seed: SeedProfile, costs: CostLayer, { above = 0 }: { above?: number } = {}): Kept {
  const { profile, cost, sensitive } = costs
  const forbidden = sensitive.filter((node) => cost[node] > above)
  return Uint8Array.from(seed.origin, (at) => (forbidden.some((node) => at >= node && at < profile.end[node]) ? 0 : 1))
}
