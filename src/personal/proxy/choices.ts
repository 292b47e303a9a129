import { type DecisionRule, decisionRules } from "../expose-profile.ts"
import { type Denominator, denominators } from "../metrics.ts"
import { type SensitiveQueryMode, sensitiveQueryModes, standardLifetimeDelta } from "../personal-search.ts"
import type { Settings } from "../personal-store.ts"
import { queryClassBounds } from "../query-classes.ts"

/** Generalisers that are fast enough while a person waits. */
export const servedAlgorithms = ["tree", "il", "dp"] as const

/** The person's choices: risk limits, handling of sensitive queries, how the exposure is decided, and the engine. */
export interface Choices {
  /** Maximum risk of one exposure. */
  delta: number
  /** Maximum risk of all that one engine sees in a day. */
  sessionDelta: number
  /** Maximum risk of everything that one engine is ever shown. 1: no bound. */
  lifetimeDelta: number
  /** Maximum risk of the same, counting also what the queries revealed. 1: no bound. */
  queryDelta: number
  sensitiveQueries: SensitiveQueryMode
  learning: boolean
  /**
   * Rank results again here by the whole profile, even if the engine ranks by exposures. This shows nothing to the
   * engine.
   */
  rerank: boolean
  algorithm: (typeof servedAlgorithms)[number]
  /** A query whose own DP is at least this is sent without a profile. */
  mu: number
  decision: DecisionRule
  denominator: Denominator
  engine: string
  /** True if the person has completed or skipped the introduction on the page. */
  welcomed: boolean
}

/** Defaults until the person chooses. */
export const standardChoices = {
  delta: 0.1,
  sessionDelta: 0.3,
  lifetimeDelta: standardLifetimeDelta,
  queryDelta: 1,
  sensitiveQueries: "ask",
  learning: true,
  rerank: true,
  algorithm: "tree",
  mu: queryClassBounds.distinct,
  decision: "gain",
  denominator: "query",
  welcomed: false,
} as const satisfies Omit<Choices, "engine">

/** The choices kept in a profile. Missing or invalid ones are replaced by the defaults. */
export function readChoices(settings: Settings): Omit<Choices, "engine"> {
  const share = (name: "delta" | "sessionDelta" | "lifetimeDelta" | "queryDelta" | "mu") => {
    const value = settings[name]
    return typeof value === "number" && value >= 0 && value <= 1 ? value : standardChoices[name]
  }
  const flag = (name: "learning" | "rerank" | "welcomed") => {
    const value = settings[name]
    return typeof value === "boolean" ? value : standardChoices[name]
  }
  return {
    delta: share("delta"),
    sessionDelta: share("sessionDelta"),
    lifetimeDelta: share("lifetimeDelta"),
    queryDelta: share("queryDelta"),
    sensitiveQueries:
      sensitiveQueryModes.find((mode) => mode === settings.sensitiveQueries) ?? standardChoices.sensitiveQueries,
    learning: flag("learning"),
    rerank: flag("rerank"),
    algorithm: servedAlgorithms.find((name) => name === settings.algorithm) ?? standardChoices.algorithm,
    mu: share("mu"),
    decision: decisionRules.find((name) => name === settings.decision) ?? standardChoices.decision,
    denominator: denominators.find((name) => name === settings.denominator) ?? standardChoices.denominator,
    welcomed: flag("welcomed"),
  }
}
