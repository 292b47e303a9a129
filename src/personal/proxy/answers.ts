import type { SensitiveQueryMode } from "../personal-search.ts"

/** A topic of the seed profile, for display. */
export interface SeedTopic {
  path: string
  name: string
  /** Index in the list; -1 for the root. */
  parent: number
  /** Pr(t | q, H): share of the person's preference. */
  share: number
  exposed: boolean
  /** sen(s); 0: not declared sensitive. */
  sensitive: number
  /** Marked never show, itself or through a topic above it. */
  never: boolean
  /** In T(q). */
  relevant: boolean
}

/** A marked topic that a query is about. */
export interface AboutTopic {
  path: string
  name: string
  /** Share of the query's meaning. */
  share: number
}

/**
 * What is shown with a query, and why, for the person who asks. Risks are null while nothing in the profile is marked
 * sensitive, because no risk is counted then.
 */
export interface Exposed {
  query: string
  /** Paths, without the root's. */
  exposure: readonly string[]
  decision: "exposed" | "nothing"
  reason?: string
  warning?: string
  /** Topics marked sensitive or never show that the query itself is about. */
  about: readonly AboutTopic[]
  /** Risk of this exposure by itself. */
  risk: number | null
  /** Risk of all that the engine has seen in the session, including this exposure. */
  sessionRisk: number | null
  /** Risk of everything the engine was ever shown, including this exposure. */
  lifetimeRisk: number | null
  /** The same, and also counts what this query and earlier ones revealed. */
  queryRisk: number | null
  delta: number
  sessionDelta: number
  lifetimeDelta: number
  /** 1: no bound. */
  queryDelta: number
  dp: number
  dpWithout: number
  utility: number
  seed: readonly SeedTopic[]
}

/** A result of an engine, with its new and its original rank. */
export interface Result {
  title: string
  /** null unless http(s). */
  url: string | null
  snippet: string
  topic?: string
  /** New rank, and rank in the engine's answer, both from 1. */
  rank: number
  before: number
}

/** Why a query was not sent. The person is asked first. */
export interface Held {
  /** `sensitive`: it is about a marked topic. `query-delta`: it exceeds the bound that counts queries. */
  why: "sensitive" | "query-delta"
  /** The answers that the person may give. */
  choices: readonly Exclude<SensitiveQueryMode, "ask">[]
}

/** The answer to a search. */
export interface SearchAnswer extends Exposed {
  results: readonly Result[]
  original: readonly Result[]
  engine: string
  milliseconds: { engine: number; proxy: number }
  /** True if the exposure was sent with the query. */
  sent: boolean
  /** If set, nothing was sent, recorded or learned. Ask again with the person's choice. */
  held?: Held
  /** The topic learned from the search itself. */
  learned: string | null
  /** Why there are no results: the engine is down, slow, or does not answer with JSON. */
  problem?: { code: string; message: string }
}
