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
  /** In T(q). */
  relevant: boolean
}

/** What is shown with a query, and why: for whoever asks. */
export interface Exposed {
  query: string
  /** Paths, without the root's. */
  exposure: readonly string[]
  decision: "exposed" | "nothing"
  reason?: string
  warning?: string
  /** Of this exposure by itself, and of all that the engine has seen in the session with it. */
  risk: number
  sessionRisk: number
  delta: number
  sessionDelta: number
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

/** The answer to a search. */
export interface Found extends Exposed {
  results: readonly Result[]
  original: readonly Result[]
  engine: string
  milliseconds: { engine: number; proxy: number }
  /** The exposure travelled with the query. */
  sent: boolean
  /** A topic that the search itself taught. */
  learned: string | null
  /** Why there are no results: the engine is down, slow, or answers no JSON. */
  problem?: { code: string; message: string }
}
