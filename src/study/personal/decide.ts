import type { DecisionRule } from "../../personal/expose-profile.ts"
import { type Denominator, discriminatingPower, powerWithoutProfile } from "../../personal/metrics.ts"
import type { Situation } from "./person.ts"
import type { World } from "./world.ts"

/** The online decision (§5.2) whether a search is personalised. */
export interface DecisionOptions {
  decision: DecisionRule
  mu: number
  denominator?: Denominator
}

/**
 * Applies the decision to the topics that a generaliser kept. All of them are shown, or none if the decision is against
 * it.
 */
export function applyDecision(
  world: World,
  situation: Situation,
  kept: Uint8Array,
  options: DecisionOptions,
): Uint8Array {
  const { query, seed } = situation
  const { decision, mu, denominator = "query" } = options
  if (decision === "off" || kept[0] === 0) return kept
  const power = powerWithoutProfile(world.taxonomy, query.relevant, denominator === "profile" ? { seed } : {})
  const isShown = power < mu && (decision === "mu" || discriminatingPower(seed, kept) > power)
  return isShown ? kept : new Uint8Array(kept.length)
}
