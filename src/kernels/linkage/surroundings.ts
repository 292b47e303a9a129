import { orderByKey } from "../sort-segments.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"

/** The records by category, each in the order of release, and the records around each of them. */
export interface Surroundings {
  /** The record at a position, and the user shown with it. */
  order: Uint32Array
  shown: Int32Array
  /** The positions around position p are [from[p], to[p]), all in its category. */
  from: Int32Array
  to: Int32Array
  /** 1 if these records left with it at one time. Then only a user shown there can have issued it. */
  isCell: Uint8Array
  /** By position: the share of the category's records that show the same user. */
  share: Float32Array
}

/**
 * The surroundings of a record are the run of records with its time, if the run has more than k records. Otherwise they
 * are the k records on either side, by their order in the category. Of a run, at most `reach` records on either side
 * are read.
 */
export function findSurroundings(
  { user, category, time }: ReleasedStream,
  { k, reach }: { k: number; reach: number },
): Surroundings {
  const records = category.length
  const order = orderByKey(category, countIds(category))
  const shown = new Int32Array(records)
  const from = new Int32Array(records)
  const to = new Int32Array(records)
  const isCell = new Uint8Array(records)
  const share = new Float32Array(records)
  const count = new Int32Array(countIds(user))
  for (let start = 0; start < records; ) {
    const own = category[order[start]]
    let end = start
    for (; end < records && category[order[end]] === own; end++) {
      shown[end] = user[order[end]]
      count[shown[end]]++
    }
    for (let p = start; p < end; p++) share[p] = count[shown[p]] / (end - start)
    for (let p = start; p < end; p++) count[shown[p]] = 0
    for (let first = start; first < end; ) {
      let last = first + 1
      while (last < end && time[order[last]] === time[order[first]]) last++
      const inCell = last - first > k
      const [low, high, far] = inCell ? [first, last, reach] : [start, end, k]
      for (let p = first; p < last; p++) {
        from[p] = Math.max(low, p - far)
        to[p] = Math.min(high, p + far + 1)
        isCell[p] = inCell ? 1 : 0
      }
      first = last
    }
    start = end
  }
  return { order, shown, from, to, isCell, share }
}
