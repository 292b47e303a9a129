/* What the proxy answers, by its JSON API. */

import type { SensitiveQueryMode } from "../../src/personal/personal-search.ts"
import type { Proposal } from "../../src/personal/propose-sensitive.ts"
import type { ShownInFull } from "../../src/personal/shown-in-full.ts"

export type { Exposed, Found, Held, Result, SeedTopic } from "../../src/personal/proxy/answers.ts"
export type { Proposal, SensitiveQueryMode }

export interface SensitiveTopic {
  path: string
  /** 0 to 1. */
  sensitivity: number
}

export interface Engine {
  name: string
  kind: string
  /** The person added it on this page, and can remove it here. */
  added: boolean
  /** Whether a part of the profile can travel with the query. */
  acceptsExposure: boolean
  /** Risk of everything that it was ever shown; null: no risk is counted. */
  lifetimeRisk: number | null
  /** The same, counting what queries told it. */
  queryRisk: number | null
}

/** What is marked, and what follows from it. */
export interface Marks {
  sensitive: readonly SensitiveTopic[]
  /** Paths of topics that are never shown. */
  never: readonly string[]
  /** The risk of showing the root alone: below it nothing can be shown. null: no risk is counted. */
  floor: number | null
  /** Sensitive topics that the bounds allow to be shown in full. */
  inFull: readonly ShownInFull[]
}

export interface State extends Marks {
  profile: { topics: number; searches: number; days: number }
  engines: readonly Engine[]
  engine: string
  delta: number
  sessionDelta: number
  lifetimeDelta: number
  /** 1: no bound. */
  queryDelta: number
  sensitiveQueries: SensitiveQueryMode
  learning: boolean
  /** What may be sensitive, by its name; empty once the person has answered. */
  proposals: readonly Proposal[]
  taxonomy: string
  /** The start was gone through, or skipped. */
  welcomed: boolean
  /** Bytes of the largest history that can be imported here. */
  mostUploaded: number
}

export interface Topic {
  path: string
  name: string
  support: number
  sensitive: number
  never: boolean
  children: number
}

/** A topic that was searched for; its support is 0 where the profile does not have it. */
export interface FoundTopic extends Topic {
  /** The beginning of what the taxonomy says about it. */
  text: string
}

export interface Shown {
  id: number
  /** UTC seconds. */
  time: number
  engine: string
  query?: string
  exposure: readonly string[]
  /** null: no risk was counted. */
  risk: number | null
  delta: number
}

export interface Day {
  day: string
  documents: number
}
