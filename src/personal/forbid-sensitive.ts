import type { CostLayer } from "./cost-layer.ts"
import type { Kept } from "./exposure.ts"
import type { SeedProfile } from "./seed-profile.ts"

/**
 * Forbidding (§3.2), the baseline that the paper argues against: all of a seed profile but the subtrees of sensitive topics with
 * sen(s) > `above`. It looks at no risk. What is above a sensitive topic stays, and from that the topic can be guessed (§3.4), so
 * the result is for comparison and is not to be shown to anyone. `costs` are those of the seed's profile.
 */
export function forbidSensitive(seed: SeedProfile, costs: CostLayer, { above = 0 }: { above?: number } = {}): Kept {
  const { profile, cost, sensitive } = costs
  const forbidden = sensitive.filter((node) => cost[node] > above)
  return Uint8Array.from(seed.origin, (at) => (forbidden.some((node) => at >= node && at < profile.end[node]) ? 0 : 1))
}
