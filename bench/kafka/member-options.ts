/** What a process of the bench does. */
export interface MemberOptions {
  role: "copy" | "classify" | "swap"
  addresses: string
  /** The topic of searches. */
  input: string
  /** The group of workers; of a copy: the topic that it writes. */
  group: string
  /** The partitions that it works on, of the topic that it reads. */
  partitions: readonly number[]
  /**
   * Where it ends. A copy: messages of each of its partitions. A swapper: searches that it has taken. A classifier ends
   * when it is through with its partitions, unless this is null: then it ends when it is asked to, as others do.
   */
  until: number | null
  /** A swapper's file. */
  secret?: string
}

/** What a process did from the start of its work until it was through, and what that cost. */
export interface MemberResult {
  seconds: number
  /** Seconds of processor time, of all its threads. */
  cpu: number
  /** Megabytes in memory at the end. */
  memory: number
  /** Searches that it took, by partition. */
  taken: Record<number, number>
  /** Searches that a classifier passed on, or a swapper released. */
  passed: number
  waiting: number
  cells: number
  /** Milliseconds that its transactions took. */
  transactions: { count: number; p50: number; p99: number }
  /** What a swapper brought back before it began. */
  restored: { waiting: number; pairs: number; seconds: number }
}
