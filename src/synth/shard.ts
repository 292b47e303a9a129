import type { Vocabulary } from "./vocabulary.ts"

/** Some spans of users, to be generated in one go: entry i of each array is a span. */
export interface SynthShard {
  vocabulary: Vocabulary
  settings: ShardSettings
  user: Float64Array
  part: Uint32Array
  parts: Uint32Array
  rows: Uint32Array
}

export interface ShardSettings {
  seed: number
  users: number
  /** Expected searches with a secret, of a user. */
  secretsPerUser: number
  /** Share of searches after another that are one of its usual successors. */
  follow: number
  topics: boolean
}

/** What was generated of a shard. Places of secrets are rows of the shard, from 0. */
export interface ShardText {
  bytes: Uint8Array
  secretRow: Uint32Array
  /** An index of `secretKinds`. */
  secretKind: Uint8Array
  /** Lines of `query \t path`, one for each query that was new to its user; the three arrays have an entry each. */
  topicLines: Uint8Array
  topicLength: Uint32Array
  topicHashLow: Uint32Array
  topicHashHigh: Uint32Array
}
