import type { CostLayer } from "./cost-layer.ts"
import type { Kept } from "./exposure.ts"
import type { SeedProfile } from "./seed-profile.ts"
import { nodeOf } from "./topic-tree.ts"

/**
 * The risk of showing a rooted subtree G of a seed profile to an observer who has already seen U, another rooted
 * subtree of the profile: eq. 14 on the tree U ∪ G. U may be empty.
 */
export interface RiskModel {
  /** cost(t) of each node of the seed. Eq. 6. */
  readonly cost: Float64Array
  /** Risk(t, U) of each node of the seed that is in U: it is at risk even if G prunes it. 0 for the others. */
  readonly seen: Float64Array
  /** For each node of the seed: Σ Risk(t', U) over its children in U that are not in the seed. */
  readonly beside: Float64Array
  /** Σ sen(s). */
  readonly total: number
}

/** A bound on the risk of what is shown. */
export interface RiskLimit {
  readonly model: RiskModel
  readonly delta: number
}

/** The risk of an exposure by itself. */
export function exposureRisk({ origin, size }: SeedProfile, { cost, total }: CostLayer): RiskModel {
  const none = new Float64Array(size)
  return { cost: Float64Array.from(origin, (node) => cost[node]), seen: none, beside: none, total }
}

/** What queries revealed: for each node of a profile, how surely the person cares about it, from 0 to 1. */
export interface ToldByQueries {
  told?: Float64Array
}

/**
 * The risk of an exposure together with what was seen before. `shown` marks nodes of the profile: a rooted subtree, or
 * none. `costs` may belong to another profile than the seed's if that profile has all topics of the seed.
 */
export function sessionRisk(
  seed: SeedProfile,
  costs: CostLayer,
  shown: Uint8Array,
  options: ToldByQueries = {},
): RiskModel {
  const { profile, cost, total } = costs
  const origin = profile === seed.profile ? seed.origin : Int32Array.from(seed.topic, (topic) => nodeOf(profile, topic))
  const risk = subtreeRisks(costs, shown, options)
  const seen = Float64Array.from(origin, (node) => risk[node])
  const beside = new Float64Array(seed.size)
  for (let node = profile.size - 1; node > 0; node--) {
    if (risk[node] === 0 || nodeOf(seed, profile.topic[node]) >= 0) continue
    const above = nodeOf(seed, profile.topic[profile.parent[node]])
    if (above >= 0) beside[above] += risk[node]
  }
  return { cost: Float64Array.from(origin, (node) => cost[node]), seen, beside, total }
}

/**
 * risk(q, G) = Risk(root, G) / Σ sen(s), with Risk(t, G) = max(cost(t), Σ over t' ∈ C(t, G) of Risk(t', G)). For a leaf
 * this is cost(t). Eq. 13–15. The shadow of a node has no risk of its own: the risk of the pruned children is in
 * cost(t).
 */
export function riskOf(seed: SeedProfile, { cost, seen, beside, total }: RiskModel, kept: Kept): number {
  const sum = beside.slice()
  for (let node = seed.size - 1; node > 0; node--)
    sum[seed.parent[node]] += kept[node] === 1 ? Math.max(cost[node], sum[node]) : seen[node]
  const risk = kept[0] === 1 ? Math.max(cost[0], sum[0]) : seen[0]
  return total === 0 ? 0 : risk / total
}

/** Risk(root, U) / Σ sen(s) of nodes of the profile itself. With `told`, it also counts what queries revealed. */
export function riskOfShown(costs: CostLayer, shown: Uint8Array, options: ToldByQueries = {}): number {
  return costs.total === 0 ? 0 : subtreeRisks(costs, shown, options)[0] / costs.total
}

export function holds(seed: SeedProfile, limits: readonly RiskLimit[], kept: Kept): boolean {
  return limits.every(({ model, delta }) => riskOf(seed, model, kept) <= delta)
}

/**
 * Risk(t, U) of every node of U, 0 of the others. A sensitive topic that queries revealed with a share p counts at
 * least p · sen(s), shown or not, and so does everything above it.
 */
function subtreeRisks(
  { profile, cost, sensitive }: CostLayer,
  shown: Uint8Array,
  { told }: ToldByQueries,
): Float64Array {
  const { size, parent } = profile
  const risk = new Float64Array(size)
  const least = new Float64Array(told === undefined ? 0 : size)
  if (told !== undefined) for (const node of sensitive) least[node] = cost[node] * told[node]
  for (let node = size - 1; node >= 0; node--) {
    if (shown[node] === 1) risk[node] = Math.max(cost[node], risk[node])
    if (told !== undefined) risk[node] = Math.max(least[node], risk[node])
    if (node > 0) risk[parent[node]] += risk[node]
  }
  return risk
}
