import { type DecisionRule, decisionRules } from "../expose-profile.ts"
import { type Denominator, denominators } from "../metrics.ts"
import { type SensitiveQueryMode, sensitiveQueryModes, standardLifetimeDelta } from "../personal-search.ts"
import type { Settings } from "../personal-store.ts"
import { queryClassBounds } from "../query-classes.ts"

/** Generalisers that are fast enough while a person waits. */
export const servedAlgorithms = ["tree", "il", "dp"] as const

/** What the person chose: limits of risk, what happens to sensitive queries, how is decided what is shown, which engine is asked. */
export interface Choices {
  /** Most risk of one exposure. */
  delta: number
  /** Most risk of all that one engine sees in a day. */
  sessionDelta: number
  /** Most risk of everything that one engine is ever shown; 1: no bound. */
  lifetimeDelta: number
  /** Most risk of that, counting what the queries told; 1: no bound. */
  queryDelta: number
  sensitiveQueries: SensitiveQueryMode
  learning: boolean
  /** Results of engines that rank by exposures are ranked again here, by the whole profile. Shows nothing. */
  rerank: boolean
  algorithm: (typeof servedAlgorithms)[number]
  /** A query with this DP by itself goes without a profile. */
  mu: number
  decision: DecisionRule
  denominator: Denominator
  engine: string
  /** The person has gone through the start on the page, or skipped it. */
  welcomed: boolean
}

/** What holds until the person chooses. */
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

/** What is kept in a profile, as far as it is sound, else the standard. */
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
