import type { Kept } from "./exposure.ts"
import { discriminatingPower, profileGranularity, topicSimilarity } from "./metrics.ts"
import { type RiskLimit, type RiskModel, riskOf } from "./risk.ts"
import type { SeedProfile } from "./seed-profile.ts"
import { pathOf } from "./topic-tree.ts"

/** Chooses the rooted subtree of a seed profile to show, within every limit. */
export type Generaliser = (seed: SeedProfile, limits: readonly RiskLimit[]) => Generalisation

/** What a generaliser kept of a seed profile, and how it got there. */
export interface Generalisation {
  /** Within the limits. Empty if even the root alone is not. */
  kept: Kept
  /** Nodes in the order of pruning; each was a leaf at its turn. GreedyDP continues until only the root is left. */
  order: readonly number[]
  /** How many nodes of `order` were pruned to reach `kept`. */
  taken: number
  /** No other choice within the limits has a DP larger by more than this. Set only if it is known. */
  gap?: number
}

/** The metrics of eq. 10–15, named as in the paper. */
export interface Metrics {
  PG: number
  TS: number
  DP: number
  risk: number
}

export interface Step extends Metrics {
  /** Path of the pruned topic. The metrics are those of what was left. */
  pruned: string
}

/** Amounts of information (in bits) that differ by less than this are equal up to rounding. */
export const tie = 2 ** -36

/** The paper's metrics of the kept nodes: PG, TS, DP and risk. */
export function metricsOf(seed: SeedProfile, model: RiskModel, kept: Kept): Metrics {
  return {
    PG: profileGranularity(seed, kept),
    TS: topicSimilarity(seed, kept),
    DP: discriminatingPower(seed, kept),
    risk: riskOf(seed, model, kept),
  }
}

/** The metrics after each pruning. */
export function stepsOf(seed: SeedProfile, model: RiskModel, order: readonly number[]): Step[] {
  const kept = wholeSeed(seed)
  return order.map((node) => {
    kept[node] = 0
    return { pruned: pathOf(seed, node), ...metricsOf(seed, model, kept) }
  })
}

export const wholeSeed = ({ size }: SeedProfile): Kept => new Uint8Array(size).fill(1)

/** A generalisation that was not made leaf by leaf. Its order is from the last topic to the first. */
export function chosen(kept: Kept, options: { gap?: number } = {}): Generalisation {
  const order: number[] = []
  for (let node = kept.length - 1; node > 0; node--) if (kept[node] === 0) order.push(node)
  return { kept, order, taken: order.length, ...options }
}
