import type { CostLayer } from "./cost-layer.ts"
import type { Kept } from "./exposure.ts"
import type { SeedProfile } from "./seed-profile.ts"
import { nodeOf } from "./topic-tree.ts"

/**
 * What is at risk when a rooted subtree G of a seed profile is shown to someone who has seen U, another rooted subtree of the
 * profile, already: eq. 14 on the tree U ∪ G. U may be empty.
 */
export interface RiskModel {
  /** cost(t) of each node of the seed. Eq. 6. */
  readonly cost: Float64Array
  /** Risk(t, U) of each node of the seed that is in U, so that it is at risk even if G prunes it; 0 for others. */
  readonly seen: Float64Array
  /** Of each node of the seed: Σ Risk(t', U) over its children in U that are not in the seed. */
  readonly beside: Float64Array
  /** Σ sen(s). */
  readonly total: number
}

/** At most so much of what is at risk may be shown. */
export interface RiskLimit {
  readonly model: RiskModel
  readonly delta: number
}

/** The risk of an exposure by itself. */
export function exposureRisk({ origin, size }: SeedProfile, { cost, total }: CostLayer): RiskModel {
  const none = new Float64Array(size)
  return { cost: Float64Array.from(origin, (node) => cost[node]), seen: none, beside: none, total }
}

/** The risk of an exposure together with what was seen before: `shown` marks nodes of the profile, a rooted subtree or none. */
export function sessionRisk(seed: SeedProfile, costs: CostLayer, shown: Uint8Array): RiskModel {
  const { profile, cost, total } = costs
  const risk = subtreeRisks(profile, cost, shown)
  const seen = Float64Array.from(seed.origin, (node) => risk[node])
  const beside = new Float64Array(seed.size)
  for (let node = profile.size - 1; node > 0; node--) {
    if (risk[node] === 0 || nodeOf(seed, profile.topic[node]) >= 0) continue
    const above = nodeOf(seed, profile.topic[profile.parent[node]])
    if (above >= 0) beside[above] += risk[node]
  }
  return { cost: Float64Array.from(seed.origin, (node) => cost[node]), seen, beside, total }
}

/**
 * risk(q, G) = Risk(root, G) / Σ sen(s), with Risk(t, G) = max(cost(t), Σ over t' ∈ C(t, G) of Risk(t', G)), and so cost(t) of
 * a leaf. Eq. 13–15. The shadow of a node carries no risk of its own: that of the pruned is in cost(t).
 */
export function riskOf(seed: SeedProfile, { cost, seen, beside, total }: RiskModel, kept: Kept): number {
  const sum = beside.slice()
  for (let node = seed.size - 1; node > 0; node--)
    sum[seed.parent[node]] += kept[node] === 1 ? Math.max(cost[node], sum[node]) : seen[node]
  const risk = kept[0] === 1 ? Math.max(cost[0], sum[0]) : seen[0]
  return total === 0 ? 0 : risk / total
}

/** Risk(root, U) / Σ sen(s) of nodes of the profile itself: a rooted subtree or none. */
export function riskOfShown({ profile, cost, total }: CostLayer, shown: Uint8Array): number {
  return total === 0 ? 0 : subtreeRisks(profile, cost, shown)[0] / total
}

export function holds(seed: SeedProfile, limits: readonly RiskLimit[], kept: Kept): boolean {
  return limits.every(({ model, delta }) => riskOf(seed, model, kept) <= delta)
}

/** Risk(t, U) of every node of U, 0 of the others. */
function subtreeRisks(
  { size, parent }: Pick<SeedProfile, "size" | "parent">,
  cost: Float64Array,
  shown: Uint8Array,
): Float64Array {
  const risk = new Float64Array(size)
  for (let node = size - 1; node >= 0; node--) {
    if (shown[node] === 0) continue // nothing was added to it: its children are not shown either
    risk[node] = Math.max(cost[node], risk[node])
    if (node > 0) risk[parent[node]] += risk[node]
  }
  return risk
}
