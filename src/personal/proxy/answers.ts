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
