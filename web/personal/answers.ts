/* What the proxy answers, by its JSON API. */

export type { Exposed, Found, Result, SeedTopic } from "../../src/personal/proxy/answers.ts"

export interface SensitiveTopic {
  path: string
  /** 0 to 1. */
  sensitivity: number
}

interface Engine {
  name: string
  kind: string
  /** Whether a part of the profile can travel with the query. */
  acceptsExposure: boolean
}

export interface State {
  profile: { topics: number; searches: number; days: number }
  engines: readonly Engine[]
  engine: string
  delta: number
  sessionDelta: number
  learning: boolean
  sensitive: readonly SensitiveTopic[]
  /** The risk of showing the root alone: below it nothing can be shown. */
  floor: number
  taxonomy: string
}

export interface Topic {
  path: string
  name: string
  support: number
  sensitive: number
  children: number
}

export interface Shown {
  id: number
  /** UTC seconds. */
  time: number
  engine: string
  query?: string
  exposure: readonly string[]
  risk: number
  delta: number
}

export interface Day {
  day: string
  documents: number
}
