import type { SensitiveQueryMode } from "../personal-search.ts"

/** A topic of the seed profile, for people. */
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
  /** Marked never show, itself or by a topic above it. */
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
 * What is shown with a query, and why: for whoever asks. Risks are null while nothing in the profile is marked sensitive: no
 * risk is counted then.
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
  /** Of this exposure by itself. */
  risk: number | null
  /** Of all that the engine has seen in the session, with this. */
  sessionRisk: number | null
  /** Of everything that the engine was ever shown, with this. */
  lifetimeRisk: number | null
  /** The same, counting what this query and earlier ones told. */
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

/** A result of an engine, where it stands now and where it stood. */
export interface Result {
  title: string
  /** null unless http(s). */
  url: string | null
  snippet: string
  topic?: string
  /** Place now, and as it came from the engine, from 1. */
  rank: number
  before: number
}

/** Why a query was not sent: the person is asked first. */
export interface Held {
  /** `sensitive`: it is about a marked topic. `query-delta`: it goes over the bound that counts queries. */
  why: "sensitive" | "query-delta"
  /** What the person may answer. */
  choices: readonly Exclude<SensitiveQueryMode, "ask">[]
}

/** The answer to a search. */
export interface Found extends Exposed {
  results: readonly Result[]
  original: readonly Result[]
  engine: string
  milliseconds: { engine: number; proxy: number }
  /** The exposure travelled with the query. */
  sent: boolean
  /** Set: nothing was sent, written down or learned. Ask again with the person's choice. */
  held?: Held
  /** A topic that the search itself taught. */
  learned: string | null
  /** Why there are no results: the engine is down, slow, or answers no JSON. */
  problem?: { code: string; message: string }
}
