import { countIds, forEachCategory, type ReleasedStream } from "./released-stream.ts"

/** How many times k releases after a record's arrival are looked at: of what leaves with chance 1/k each, 5 % is later. */
const horizon = 3

/**
 * Uses times and order where records leave one by one with their own times. A user leaves after his record arrived, at
 * each release with a chance of about 1/k; so of the releases after the arrival the j-th (from 0) speaks for the user
 * shown in it with (1 − 1/k)^j, and the user for whom most speaks is named, other than the one shown; among equals, who
 * was shown first. By the time a record leaves whatever has an earlier own time has arrived: a record's first release
 * after its arrival is at the latest the first that shows its time or a later one.
 *
 * Records that arrived between the same two such releases share one look ahead. O(k + log n) per record at most.
 */
export function linkByOrder(stream: ReleasedStream, { k }: { k: number }): Int32Array {
  const { user, time } = stream
  const named = new Int32Array(user.length).fill(-1)
  const weight = new Float64Array(countIds(user))
  forEachCategory(stream, (records) => {
    const latest = new Int32Array(records.length)
    for (let i = 0; i < records.length; i++)
      latest[i] = Math.max(time[records[i]], i === 0 ? time[records[0]] : latest[i - 1])
    /** By release: the two users for whom most speaks from there on; -2 not looked at yet. */
    const best = new Int32Array(records.length).fill(-2)
    const second = new Int32Array(records.length)
    for (let i = 0; i < records.length; i++) {
      const start = firstAtLeast(latest, i, time[records[i]])
      if (best[start] === -2) {
        const ahead = records.subarray(start, start + horizon * k)
        ;[best[start], second[start]] = weighUsers(ahead, user, { k, weight })
      }
      named[records[i]] = best[start] === user[records[i]] ? second[start] : best[start]
    }
  })
  return named
}

/** The first i ≤ `last` with values[i] ≥ value, where the values never fall and that of `last` is large enough. */
function firstAtLeast(values: Int32Array, last: number, value: number): number {
  let low = 0
  let high = last
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The two users of the largest weight among these releases; -1 where there is none. `weight` is zero before and after. */
function weighUsers(
  releases: Uint32Array,
  user: Int32Array,
  { k, weight }: { k: number; weight: Float64Array },
): [number, number] {
  let chance = 1
  for (let j = 0; j < releases.length; j++) {
    weight[user[releases[j]]] += chance
    chance *= 1 - 1 / k
  }
  let best = -1
  let second = -1
  for (let j = 0; j < releases.length; j++) {
    const shown = user[releases[j]]
    if (shown === best || shown === second) continue
    if (best < 0 || weight[shown] > weight[best]) {
      second = best
      best = shown
    } else if (second < 0 || weight[shown] > weight[second]) second = shown
  }
  for (let j = 0; j < releases.length; j++) weight[user[releases[j]]] = 0
  return [best, second]
}
