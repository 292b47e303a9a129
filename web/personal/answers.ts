/* The answers of the proxy's JSON API. */

import type { SensitiveQueryMode } from "../../src/personal/personal-search.ts"
import type { Proposal } from "../../src/personal/propose-sensitive.ts"
import type { ShownInFull } from "../../src/personal/shown-in-full.ts"

export type { Exposed, Held, Result, SearchAnswer, SeedTopic } from "../../src/personal/proxy/answers.ts"
export type { Proposal, SensitiveQueryMode }

export interface SensitiveTopic {
  path: string
  /** 0 to 1. */
  sensitivity: number
}

export interface Engine {
  name: string
  kind: string
  /** True if the person added it on this page, and can remove it here. */
  added: boolean
  /** True if a part of the profile can be sent with the query. */
  acceptsExposure: boolean
  /** Risk of everything that the engine was ever shown; null: no risk is counted. */
  lifetimeRisk: number | null
  /** The same, including what queries revealed to it. */
  queryRisk: number | null
}

/** What is marked, and what follows from it. */
export interface Marks {
  sensitive: readonly SensitiveTopic[]
  /** Paths of topics that are never shown. */
  never: readonly string[]
  /** Risk of the root alone: below this risk nothing can be shown. null: no risk is counted. */
  floor: number | null
  /** Sensitive topics that the limits allow to be shown in full. */
  inFull: readonly ShownInFull[]
}

export interface State extends Marks {
  profile: { topics: number; searches: number; days: number }
  engines: readonly Engine[]
  engine: string
  delta: number
  sessionDelta: number
  lifetimeDelta: number
  /** 1: no limit. */
  queryDelta: number
  sensitiveQueries: SensitiveQueryMode
  learning: boolean
  /** Topics that may be sensitive, judged by their names; empty once the person has answered. */
  proposals: readonly Proposal[]
  taxonomy: string
  /** True if the start was completed or skipped. */
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

/** A topic that was searched for. Its support is 0 if the profile does not have it. */
export interface FoundTopic extends Topic {
  /** The beginning of the taxonomy's text about it. */
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
