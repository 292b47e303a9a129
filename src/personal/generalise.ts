import type { Kept } from "./exposure.ts"
import { discriminatingPower, profileGranularity, topicSimilarity } from "./metrics.ts"
import { type RiskLimit, type RiskModel, riskOf } from "./risk.ts"
import type { SeedProfile } from "./seed-profile.ts"
import { pathOf } from "./topic-tree.ts"

/** Chooses which rooted subtree of a seed profile is shown, so that every limit holds. */
export type Generaliser = (seed: SeedProfile, limits: readonly RiskLimit[]) => Generalisation

/** What a generaliser kept of a seed profile, and how it came there. */
export interface Generalisation {
  /** Within the limits; nothing at all where even the root alone is not. */
  kept: Kept
  /** Nodes in the order in which they were pruned, each a leaf when its turn came. GreedyDP goes on to the root. */
  order: readonly number[]
  /** So many of `order` were pruned from what is kept. */
  taken: number
  /** No other choice within the limits has a DP that is larger by more than this. Only where that is known. */
  gap?: number
}

/** The metrics of eq. 10–15, by the names of the paper. */
export interface Metrics {
  PG: number
  TS: number
  DP: number
  risk: number
}

export interface Step extends Metrics {
  /** Path of the topic that was pruned; the numbers are those of what was left. */
  pruned: string
}

/** Amounts of information, in bits, that differ by less are the same but for rounding. */
export const tie = 2 ** -36

/** The paper's numbers of what is kept: PG, TS, DP and risk. */
export function metricsOf(seed: SeedProfile, model: RiskModel, kept: Kept): Metrics {
  return {
    PG: profileGranularity(seed, kept),
    TS: topicSimilarity(seed, kept),
    DP: discriminatingPower(seed, kept),
    risk: riskOf(seed, model, kept),
  }
}

/** What each pruning left. */
export function stepsOf(seed: SeedProfile, model: RiskModel, order: readonly number[]): Step[] {
  const kept = wholeSeed(seed)
  return order.map((node) => {
    kept[node] = 0
    return { pruned: pathOf(seed, node), ...metricsOf(seed, model, kept) }
  })
}

export const wholeSeed = ({ size }: SeedProfile): Kept => new Uint8Array(size).fill(1)

/** The order of a choice that was not made leaf by leaf: from the last topic to the first. */
export function chosen(kept: Kept, options: { gap?: number } = {}): Generalisation {
  const order: number[] = []
  for (let node = kept.length - 1; node > 0; node--) if (kept[node] === 0) order.push(node)
  return { kept, order, taken: order.length, ...options }
}
