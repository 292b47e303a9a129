import { mixPair } from "../store/pair-hash.ts"
import { type LiveRecords, pairHighAt, stride } from "./live-records.ts"
import type { PreparedBlock } from "./prepare-block.ts"
import type { ReleasedPairs } from "./released-pairs.ts"

/** Rows whose look-ups are fetched together. */
export const rowsAhead = 64

/**
 * Brings into the cache what the next steps will look up, for many at once: one by one each would wait for memory. It changes
 * nothing.
 */
export class FetchAhead {
  readonly #records: LiveRecords
  readonly #pairs: ReleasedPairs
  readonly #hash = new Uint32Array(rowsAhead)
  readonly #high = new Uint32Array(rowsAhead)
  /** Of no use, but that what it is made of is read. */
  sum = 0

  constructor(records: LiveRecords, pairs: ReleasedPairs) {
    this.#records = records
    this.#pairs = pairs
  }

  /** At most `rowsAhead` rows that will be taken. */
  rows({ user, query, users, queries }: PreparedBlock, from: number, to: number): void {
    const hash = this.#hash
    const high = this.#high
    for (let row = from; row < to; row++) {
      const known = user[row] >= 0 && query[row] >= 0
      hash[row - from] = known ? users.hashes[user[row]] : 0
      high[row - from] = known ? mixPair(hash[row - from], queries.hashes[query[row]]) : 0
    }
    this.sum ^= this.#records.users.warm(hash, to - from) ^ this.#pairs.warm(high, to - from)
  }

  /** Records that will be released; of very many only the first. */
  releases(slots: Int32Array, count: number): void {
    const { words } = this.#records
    const high = this.#high
    const some = Math.min(count, rowsAhead)
    for (let i = 0; i < some; i++) high[i] = words[slots[i] * stride + pairHighAt]
    this.sum ^= this.#records.warm(slots, some) ^ this.#pairs.warm(high, some)
  }
}
