import type { Vocabulary } from "./vocabulary.ts"

/** Some spans of users, generated in one go. Entry i of each array belongs to span i. */
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
  /** Expected number of a user's searches with a secret. */
  secretsPerUser: number
  /** Share of later searches of a session that are a usual successor of the previous one. */
  follow: number
  topics: boolean
}

/** The generated text of a shard. Positions of secrets are rows of the shard, from 0. */
export interface ShardText {
  bytes: Uint8Array
  secretRow: Uint32Array
  /** An index of `secretKinds`. */
  secretKind: Uint8Array
  /**
   * Lines of `query \t path`, one for each query that was new to its user. The next three arrays have one entry per
   * line.
   */
  topicLines: Uint8Array
  topicLength: Uint32Array
  topicHashLow: Uint32Array
  topicHashHigh: Uint32Array
}
