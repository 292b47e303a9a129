import { mixPair } from "../../kernels/pair-hash.ts"
import { makeComingRecords, mostWarmed, type Swapper } from "../../swapper/swapper.ts"
import type { LiveRecords } from "./live-records.ts"
import type { PreparedBlock } from "./prepare-block.ts"
import type { ReleasedPairs } from "./released-pairs.ts"
import { topicOfRow } from "./topic-of-row.ts"

/** What taking a row reads. */
export interface ReadTables {
  records: LiveRecords
  pairs: ReleasedPairs
  swapper: Swapper
  /** The category of each topic. */
  category: Int32Array
}

const coming = makeComingRecords()
const userHash = new Uint32Array(mostWarmed)
const pairHigh = new Uint32Array(mostWarmed)

/**
 * Reads the memory that taking the rows [from, to) of a block will need; at most `mostWarmed` rows. The tables of a
 * large stream do not fit in a cache. Here the reads for many rows do not depend on each other, so they wait together.
 * Changes nothing. Returns a number only so that the reads are not optimised away.
 */
export function warmRows(
  block: PreparedBlock,
  { from, to }: { from: number; to: number },
  { records, pairs, swapper, category }: ReadTables,
): number {
  const { users, queries } = block
  let count = 0
  for (let row = from; row < to; row++) {
    const user = block.user[row]
    const query = block.query[row]
    const topic = query < 0 ? -1 : topicOfRow(block, row)
    if (user < 0 || topic < 0) continue
    userHash[count] = users.hashes[user]
    pairHigh[count] = mixPair(users.hashes[user], queries.hashes[query])
    coming.text[count] = queries.hashes[query]
    coming.category[count] = category[topic]
    count++
  }
  coming.count = count
  const read = pairs.warm(pairHigh, count) ^ records.users.warm(userHash, { count, ids: coming.user })
  return read ^ records.warmFree(count) ^ (swapper.warm?.(coming) ?? 0)
}

/** The same for records in slots, at most `mostWarmed`, before they are restored to a swapper. */
export function warmSlots(slots: Int32Array, { user, text, category, stride }: LiveRecords, swapper: Swapper): number {
  coming.count = slots.length
  for (let i = 0; i < slots.length; i++) {
    const at = slots[i] * stride
    coming.user[i] = user[at]
    coming.text[i] = text[at]
    coming.category[i] = category[at]
  }
  return swapper.warm?.(coming) ?? 0
}
