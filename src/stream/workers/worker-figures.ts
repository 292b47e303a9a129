import type { PromiseState } from "../live/state-promise.ts"
import type { LargestCategory, Quantiles, RiskFigures } from "../live/stream-figures.ts"

/** What a worker did and has now. It never contains text of the log; paths of the taxonomy are public. */
export interface WorkerFigures {
  /** `profiles`: a process that keeps profiles from what was released. */
  role: "classify" | "swap" | "profiles"
  group: string
  /** The version of queryveil. */
  version: string
  /** Milliseconds since 1970, by this machine's clock. */
  now: number
  startedAt: number
  /** Partitions of the topic that workers of this role share. */
  partitionsOfGroup: number
  /** The number of the plan in force. */
  plan: number
  /** The partitions that this worker has at present. */
  partitions: readonly PartitionFigures[]
  /** Times that the work on a partition failed and began again, since this worker started. */
  restarts: number
  /** The categories with the most waiting records, at most 20; none for a classifier. */
  largest: readonly (LargestCategory & { partition: number; plan: number })[]
  /** The latest result of the running attack on what this worker released; null before the first. */
  risk: RiskFigures | null
  /** Only of a classifier, since it started. */
  classifier?: ClassifierFigures
  memory: { rss: number; heap: number }
}

export interface ClassifierFigures {
  messages: number
  classified: number
  rejected: Record<string, number>
  withheld: Record<string, number>
}

/** One partition that a worker has. */
export interface PartitionFigures {
  topic: string
  partition: number
  /** Only of a swapper: the plan that the partition belongs to. */
  plan?: number
  /** Only of a swapper: true if it was handed over to the next plan. It has no more work. */
  isMoved?: boolean
  /** False while it is opened or restored, and between a failure and the next attempt. */
  isWorking: boolean
  /** Messages of the input that are not done; null before the brokers said where it ends. */
  lag: number | null
  restarts: number
  /** Transactions, or checkpoints of profiles, since this worker started. */
  transactions: number
  /** Seconds that one took, over the last minutes. */
  transactionSeconds: Quantiles
  /** Only of a swapper that has restored the partition. */
  swap?: SwapFigures
}

/** The totals are over the whole life of a partition, also with other workers, as of its last transaction. */
export interface SwapFigures extends PromiseState {
  /** The k in force. */
  k: number
  released: number
  cells: number
  waiting: number
  withheld: Record<string, number>
  /** Waiting time of records, over the releases of the last minutes. */
  delaySeconds: Quantiles
  /** What the worker read from the changelog when it got the partition, and the seconds that it took. */
  restored: RestoredCounts & { seconds: number }
}

export interface RestoredCounts {
  /** Records that waited. */
  waiting: number
  /** Released pairs of user and query that are remembered. */
  pairs: number
}
