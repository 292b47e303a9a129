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
 * Decides whether a query is personalised at all.
 * - `gain`: not if DP(q, R) ≥ μ, and not if the best profile that may be shown gains nothing (util ≤ 0).
 * - `mu`: not if DP(q, R) ≥ μ. This is Algorithm 1 as written (§5.2).
 * - `off`: always personalised, to study what would be shown.
 */
export const decisionRules = ["gain", "mu", "off"] as const
/** One of `decisionRules`. */
export type DecisionRule = (typeof decisionRules)[number]

/** Limits on the risk of an exposure, and how it is chosen. */
export interface ExposeOptions {
  /** Maximum risk of one exposure, between 0 and 1. */
  delta: number
  /** Default `tree`. */
  algorithm?: Algorithm
  /** A query whose own DP is at least this is sent without an exposure, unless `decision` is `off`. Default 0.82. */
  mu?: number
  /** Default `gain`. */
  decision?: DecisionRule
  /** What DP(q, R) is divided by. Default `query`. */
  denominator?: Denominator
  /**
   * What the engine has already seen in this session, and the maximum risk of all of it together with this exposure.
   */
  session?: { shown: Uint8Array; delta: number }
  /** The same for everything the engine was ever shown. `costs` may count topics that the profile no longer has. */
  lifetime?: LifetimeLimit
  /** The same as `lifetime`, and also counts what the queries revealed. */
  queries?: LifetimeLimit & { told: Float64Array }
  /** Topics that are never shown. `costs` must belong to a profile without them: see `profileWithout`. */
  never?: NeverTopics
  /** If true, nothing is shown with a query that is itself about a topic marked sensitive or never show. */
  withholds?: boolean
}

/** A bound on everything an engine knows, by nodes of the profile of `costs`. */
interface LifetimeLimit {
  costs: CostLayer
  shown: Uint8Array
  delta: number
}

/**
 * Why something is exposed or not. In the order of the type, after `exposed`:
 * - the query is about a sensitive topic and is sent without a profile;
 * - no relevant topic is in the profile;
 * - the query is distinct by itself;
 * - even the root alone exceeds δ, the session's bound, the lifetime's bound, or the bound that counts queries;
 * - the best profile is worth no more than none (util ≤ 0).
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
  /** Topics marked sensitive or never show that the query itself is about. Warn the person of them. */
  sensitiveInQuery: readonly number[]
  seed?: SeedProfile
  generalisation?: Generalisation
  /** Metrics of the best profile within the limits, exposed or not. */
  metrics?: Metrics
  /** util(q, G) = DP(q, G) − DP(q, R) of the same profile. */
  util?: number
}

/**
 * Chooses what to show with a query. §4, Online-2.
 *
 * Guarantee: the exposure, a rooted subtree G of the seed profile, has risk(q, G) ≤ δ by eq. 14 and 15. With a session,
 * the union of G and all that the engine has seen in it has a risk of at most the session's bound. With a lifetime
 * bound, the union of G and all that the engine was ever shown has a risk of at most that bound. No topic marked never
 * show is in G, nor any topic below it. The adversary knows the taxonomy and what was exposed. Not covered: what the
 * query itself says (unless `queries` is given), and what can be learned from topics that are not related in the
 * taxonomy.
 */
export function exposeProfile(costs: CostLayer, relevant: RelevantTopics, options: ExposeOptions): Decision {
  const { algorithm = "tree", mu = queryClassBounds.distinct, decision = "gain", never = noTopics } = options
  const { profile } = costs
  const { taxonomy } = profile
  if (hasNever(profile, never)) throw new RangeError("the costs must leave out the topics marked never show")
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

/**
 * The risk limits. The first is the limit of the exposure by itself. A bound of 1 forbids nothing, so it adds no limit.
 */
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

/** The outcome of the first limit that the root alone exceeds. */
function whyNothing(seed: SeedProfile, limits: readonly NamedLimit[]): Outcome {
  const root = new Uint8Array(seed.size)
  root[0] = 1
  return limits.find(({ model, delta }) => riskOf(seed, model, root) > delta)?.outcome ?? "over-delta"
}

/**
 * Adds an exposure to what an engine has seen, as marks on nodes of a profile. Topics that the profile lost cost
 * nothing.
 */
export function markShown({ profile }: CostLayer, { paths }: Exposure, shown?: Kept): Kept {
  const marks = shown?.slice() ?? new Uint8Array(profile.size)
  for (const path of paths) {
    const topic = profile.taxonomy.find(path)
    for (let node = topic < 0 ? -1 : nodeOf(profile, topic); node >= 0; node = profile.parent[node]) marks[node] = 1
  }
  return marks
}
