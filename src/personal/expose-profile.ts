import type { CostLayer } from "./cost-layer.ts"
import { type Exposure, exposureOf, type Kept } from "./exposure.ts"
import { type Generalisation, type Metrics, metricsOf } from "./generalise.ts"
import { type Algorithm, generalisers } from "./generalisers.ts"
import { powerWithoutProfile } from "./metrics.ts"
import { queryClassBounds } from "./query-classes.ts"
import { type RelevantTopics, sensitiveInQuery } from "./relevant-topics.ts"
import { exposureRisk, type RiskLimit, sessionRisk } from "./risk.ts"
import { type SeedProfile, seedProfile } from "./seed-profile.ts"
import { nodeOf } from "./topic-tree.ts"

/** How much risk an exposure may have, and what it is weighed by. */
export interface ExposeOptions {
  /** Most risk of one exposure, of 1. */
  delta: number
  /** `tree` if it is not said. */
  algorithm?: Algorithm
  /** A query that has this DP by itself is sent alone. */
  mu?: number
  /** What the engine has seen already, and the most risk of all of it with this exposure. */
  session?: { shown: Uint8Array; delta: number }
  /** Exposes though the query is distinct or nothing is gained, to study what would be. */
  always?: boolean
}

/**
 * Why something is exposed or not: no relevant topic is in the profile; the query is distinct by itself; even the root alone
 * is over δ, or over the session's; or the best profile is worth no more than none (util ≤ 0).
 */
export type Outcome = "exposed" | "no-topic" | "distinct-query" | "over-delta" | "over-session-delta" | "no-gain"

/** What is shown with a query, and why. */
export interface Decision {
  outcome: Outcome
  exposure: Exposure
  /** DP(q, R). */
  powerWithoutProfile: number
  /** Sensitive topics of the taxonomy that the query itself is about: warn of them. */
  sensitiveInQuery: readonly number[]
  seed?: SeedProfile
  generalisation?: Generalisation
  /** Of the best profile within the limits, whether it is exposed or not. */
  metrics?: Metrics
  /** util(q, G) = DP(q, G) − DP(q, R) of it. */
  util?: number
}

/**
 * What to show with a query. §4, Online-2.
 *
 * Guarantee: what is exposed, a rooted subtree G of the seed profile, has risk(q, G) ≤ δ by eq. 14 and 15; with a session, the
 * union of G and all that the engine has seen has a risk of at most the session's. The adversary knows the taxonomy and what
 * was exposed. What the query says itself, and what can be learned from topics that are not related in the taxonomy, is not covered.
 */
export function exposeProfile(costs: CostLayer, relevant: RelevantTopics, options: ExposeOptions): Decision {
  const { delta, algorithm = "tree", mu = queryClassBounds.distinct, session, always = false } = options
  const { profile } = costs
  const power = powerWithoutProfile(profile.taxonomy, relevant)
  const nothing = {
    exposure: { paths: [] },
    powerWithoutProfile: power,
    sensitiveInQuery: sensitiveInQuery(profile.taxonomy, relevant, costs.declared),
  }
  if (power >= mu && !always) return { outcome: "distinct-query", ...nothing }
  const seed = seedProfile(profile, relevant)
  if (seed === undefined) return { outcome: "no-topic", ...nothing }
  const model = exposureRisk(seed, costs)
  const limits: RiskLimit[] = [{ model, delta }]
  if (session !== undefined) limits.push({ model: sessionRisk(seed, costs, session.shown), delta: session.delta })
  const generalisation = generalisers[algorithm](seed, limits)
  const { kept } = generalisation
  const found = { ...nothing, seed, generalisation }
  if (kept[0] === 0) {
    const floor = model.total === 0 ? 0 : model.cost[0] / model.total
    return { outcome: floor > delta ? "over-delta" : "over-session-delta", ...found }
  }
  const metrics = metricsOf(seed, model, kept)
  const util = metrics.DP - power
  if (util <= 0 && !always) return { outcome: "no-gain", ...found, metrics, util }
  return { outcome: "exposed", ...found, exposure: exposureOf(seed, kept), metrics, util }
}

/** Adds an exposure to what an engine has seen: marks of the nodes of a profile. A topic that the profile lost costs nothing. */
export function markShown({ profile }: CostLayer, { paths }: Exposure, shown?: Kept): Kept {
  const marks = shown?.slice() ?? new Uint8Array(profile.size)
  for (const path of paths) {
    const topic = profile.taxonomy.find(path)
    for (let node = topic < 0 ? -1 : nodeOf(profile, topic); node >= 0; node = profile.parent[node]) marks[node] = 1
  }
  return marks
}
