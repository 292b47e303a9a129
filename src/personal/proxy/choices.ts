import { type SensitiveQueryMode, sensitiveQueryModes, standardLifetimeDelta } from "../personal-search.ts"
import type { Settings } from "../personal-store.ts"

/** What the person chose: limits of risk, what happens to sensitive queries, whether clicks are learned, which engine is asked. */
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
  engine: string
}

/** What holds until the person chooses. */
export const standardChoices = {
  delta: 0.1,
  sessionDelta: 0.3,
  lifetimeDelta: standardLifetimeDelta,
  queryDelta: 1,
  sensitiveQueries: "ask",
  learning: true,
} as const satisfies Omit<Choices, "engine">

/** What is kept in a profile, as far as it is sound, else the standard. */
export function readChoices(settings: Settings): Omit<Choices, "engine"> {
  const share = (name: "delta" | "sessionDelta" | "lifetimeDelta" | "queryDelta") => {
    const value = settings[name]
    return typeof value === "number" && value >= 0 && value <= 1 ? value : standardChoices[name]
  }
  const { learning } = settings
  return {
    delta: share("delta"),
    sessionDelta: share("sessionDelta"),
    lifetimeDelta: share("lifetimeDelta"),
    queryDelta: share("queryDelta"),
    sensitiveQueries:
      sensitiveQueryModes.find((mode) => mode === settings.sensitiveQueries) ?? standardChoices.sensitiveQueries,
    learning: typeof learning === "boolean" ? learning : standardChoices.learning,
  }
}
