import type { CostLayer } from "./cost-layer.ts"
import { type Exposure, exposureOf, type Kept } from "./exposure.ts"
import { type Generalisation, type Metrics, metricsOf } from "./generalise.ts"
import { type Algorithm, generalisers } from "./generalisers.ts"
import { type Denominator, powerWithoutProfile } from "./metrics.ts"
import { hasNever, type NeverTopics } from "./never-topics.ts"
import { queryClassBounds } from "./query-classes.ts"
import { markedInQuery, type RelevantTopics } from "./relevant-topics.ts"
import { exposureRisk, type RiskLimit, riskOf, sessionRisk } from "./risk.ts"
import { type SeedProfile, seedProfile } from "./seed-profile.ts"
import { nodeOf } from "./topic-tree.ts"

/**
 * Whether a query is personalised at all. `gain`: not if DP(q, R) ≥ μ, nor if what may be shown is worth no more than nothing
 * (util ≤ 0). `mu`: not if DP(q, R) ≥ μ, which is Algorithm 1 as written (§5.2). `off`: always, to study what would be shown.
 */
export const decisionRules = ["gain", "mu", "off"] as const
/** One of `decisionRules`. */
export type DecisionRule = (typeof decisionRules)[number]

/** How much risk an exposure may have, and what it is weighed by. */
export interface ExposeOptions {
  /** Most risk of one exposure, of 1. */
  delta: number
  /** Default `tree`. */
  algorithm?: Algorithm
  /** A query that has this DP by itself is sent alone, unless `decision` is `off`. Default 0.82. */
  mu?: number
  /** Default `gain`. */
  decision?: DecisionRule
  /** What DP(q, R) is divided by. Default `query`. */
  denominator?: Denominator
  /** What the engine has seen already, and the most risk of all of it with this exposure. */
  session?: { shown: Uint8Array; delta: number }
  /** The same for everything that the engine was ever shown; `costs` may count topics that the profile no longer has. */
  lifetime?: LifetimeLimit
  /** The same, counting what the queries told. */
  queries?: LifetimeLimit & { told: Float64Array }
  /** Topics that are never shown. `costs` must be of a profile without them: `profileWithout`. */
  never?: NeverTopics
  /** Shows nothing with a query that is itself about a topic marked sensitive or never show. */
  withholds?: boolean
}

/** A bound on everything that an engine knows, by nodes of the profile of `costs`. */
interface LifetimeLimit {
  costs: CostLayer
  shown: Uint8Array
  delta: number
}

/**
 * Why something is exposed or not: the query is about a sensitive topic and goes without a profile; no relevant topic is in
 * the profile; the query is distinct by itself; even the root alone is over δ, over the session's, over the lifetime's or over
 * the one that counts queries; or the best profile is worth no more than none (util ≤ 0).
 */
export type Outcome =
  | "exposed"
  | "sensitive-query"
  | "no-topic"
  | "distinct-query"
  | "over-delta"
  | "over-session-delta"
  | "over-lifetime-delta"
  | "over-query-delta"
  | "no-gain"

/** What is shown with a query, and why. */
export interface Decision {
  outcome: Outcome
  exposure: Exposure
  /** DP(q, R). */
  powerWithoutProfile: number
  /** Topics marked sensitive or never show that the query itself is about: warn of them. */
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
 * union of G and all that the engine has seen has a risk of at most the session's; with a lifetime bound, the union of G and all
 * that the engine was ever shown has a risk of at most that. No topic marked never show is in G, nor any below it. The adversary
 * knows the taxonomy and what was exposed. What the query says itself (unless `queries` is given), and what can be learned
 * from topics that are not related in the taxonomy, is not covered.
 */
export function exposeProfile(costs: CostLayer, relevant: RelevantTopics, options: ExposeOptions): Decision {
  const { algorithm = "tree", mu = queryClassBounds.distinct, decision = "gain", never = noTopics } = options
  const { profile } = costs
  const { taxonomy } = profile
  if (hasNever(profile, never)) throw new RangeError("costs must be of a profile without the topics never shown")
  const seed = seedProfile(profile, relevant)
  const divided = options.denominator === "profile" && seed !== undefined ? { seed } : {}
  const power = powerWithoutProfile(taxonomy, relevant, divided)
  const nothing = {
    exposure: { paths: [] },
    powerWithoutProfile: power,
    sensitiveInQuery: markedInQuery(taxonomy, relevant, [...costs.declared.topic, ...never]),
  }
  if (options.withholds === true && nothing.sensitiveInQuery.length > 0)
    return { outcome: "sensitive-query", ...nothing }
  if (power >= mu && decision !== "off") return { outcome: "distinct-query", ...nothing }
  if (seed === undefined) return { outcome: "no-topic", ...nothing }
  const limits = limitsOf(seed, costs, options)
  const generalisation = generalisers[algorithm](seed, limits)
  const { kept } = generalisation
  const found = { ...nothing, seed, generalisation }
  if (kept[0] === 0) return { outcome: whyNothing(seed, limits), ...found }
  const metrics = metricsOf(seed, limits[0].model, kept)
  const util = metrics.DP - power
  if (util <= 0 && decision === "gain") return { outcome: "no-gain", ...found, metrics, util }
  return { outcome: "exposed", ...found, exposure: exposureOf(seed, kept), metrics, util }
}

const noTopics: NeverTopics = new Int32Array()

type NamedLimit = RiskLimit & { outcome: Outcome }

/** The first is that of the exposure by itself. A bound of 1 forbids nothing. */
function limitsOf(seed: SeedProfile, costs: CostLayer, options: ExposeOptions): NamedLimit[] {
  const { delta, session, lifetime, queries } = options
  const limits: NamedLimit[] = [{ outcome: "over-delta", model: exposureRisk(seed, costs), delta }]
  if (session !== undefined)
    limits.push({ outcome: "over-session-delta", model: sessionRisk(seed, costs, session.shown), delta: session.delta })
  if (lifetime !== undefined && lifetime.delta < 1)
    limits.push({
      outcome: "over-lifetime-delta",
      model: sessionRisk(seed, lifetime.costs, lifetime.shown),
      delta: lifetime.delta,
    })
  if (queries !== undefined && queries.delta < 1)
    limits.push({
      outcome: "over-query-delta",
      model: sessionRisk(seed, queries.costs, queries.shown, queries),
      delta: queries.delta,
    })
  return limits
}

/** The first limit that the root alone does not keep. */
function whyNothing(seed: SeedProfile, limits: readonly NamedLimit[]): Outcome {
  const root = new Uint8Array(seed.size)
  root[0] = 1
  return limits.find(({ model, delta }) => riskOf(seed, model, root) > delta)?.outcome ?? "over-delta"
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
