import type { LateRecords } from "./arrival-order.ts"
import type { NameLifetime } from "./user-names.ts"

/**
 * Running totals and current values of a stream. They never contain text of the log; paths of the taxonomy are public.
 */
export interface StreamFigures {
  /**
   * `full`: the store's disk has no room. `blocked`: the output accepts nothing. In both states the stream accepts
   * nothing.
   */
  state: "running" | "full" | "blocked" | "draining" | "stopped"
  /** Milliseconds since 1970, by this machine's clock. */
  now: number
  startedAt: number
  k: number
  /** The deepest level of a category. */
  depth: number
  /** The number of categories, if the depth differs by branch. */
  branches?: number
  mode: "strict" | "paper"
  /** How long the name of a user lasts. */
  users: NameLifetime
  /**
   * Whether the stream promises that a user is correctly named with a chance of at most 1/k, and the reasons, one
   * sentence each.
   */
  promised: boolean
  reasons: readonly string[]
  lines: number
  taken: number
  released: number
  waiting: number
  cells: number
  rejected: Record<string, number>
  withheld: Record<string, number>
  /** Records that arrived after one with a later time, and the largest such lag. */
  late: LateRecords
  /** How far each input is behind its source, for inputs that know it. */
  inputs: readonly InputLag[]
  /** Categories with waiting records. */
  categories: number
  /** The categories with the most waiting records, at most 20. */
  largest: readonly LargestCategory[]
  /** Delay of the releases of the last minutes, as the number of records that arrived meanwhile and in seconds. */
  delay: { records: Quantiles; seconds: Quantiles }
  /** The same for all releases of this run, with the mean: the delay of Pàmies-Estrems et al. 2020, Fig. 13. */
  delayOfRun: { records: RunQuantiles; seconds: RunQuantiles }
  /** Milliseconds from the arrival of a batch until it was durable. */
  commit: Quantiles
  memory: { rss: number; heap: number }
  journalBytes: number
  /** Seconds since the last checkpoint, and whether the disk has no room for the next one. */
  checkpoint: { age: number; isStalled: boolean }
  risk: RiskFigures | undefined
}

/** A category with many waiting records. */
export interface LargestCategory {
  path: string
  waiting: number
  users: number
  gated: boolean
}

/** How far an input is behind its source. */
export interface InputLag {
  /** The name of the input. */
  input: string
  /** Messages that the source has and the stream has not taken. */
  messages: number
  /** Age of the oldest of them in seconds; 0 if there is none. */
  seconds: number
  /** Messages that the source deleted before the stream took them, since this run started. */
  lost: number
  /** True if the source may soon delete messages that the stream has not taken. */
  alarm: boolean
}

/** The median and the 99th percentile. */
export interface Quantiles {
  p50: number
  p99: number
}

/** Quantiles of a whole run, and the mean. */
export interface RunQuantiles extends Quantiles {
  mean: number
}

/** What the best attacker achieved on the last releases. */
export interface RiskFigures {
  at: number
  releases: number
  /** The promise: 1/k. */
  promise: number
  attacker: string
  named: number
  share: number
  /** Lower 99.9 % bound of the share. */
  lower: number
  alarm: boolean
  /** Categories whose own lower bound exceeds the promise. */
  alarmed: readonly { path: string; named: number; share: number; lower: number }[]
}
