import { firstAtLeast } from "../search-sorted.ts"
import { countIds, forEachCategory, type ReleasedStream } from "./released-stream.ts"

/**
 * Uses times and order when records leave one by one with their own times. A user leaves after their record arrived, at
 * each release with a chance of about 1/k. So of the releases after the arrival, the j-th (from 0) is evidence of
 * weight (1 − 1/k)^j for the user shown in it. Names the user with the most weight, other than the one shown. When a
 * record leaves, every record with an earlier own time has arrived. So the first release after a record's arrival is at
 * the latest the first release that shows its time or a later one. The attacker assumes that it is that one.
 *
 * O(log n) per record, to search for that release.
 */
export function linkByOrder(stream: ReleasedStream, { k }: { k: number }): Int32Array {
  const { user, time } = stream
  const named = new Int32Array(user.length).fill(-1)
  const weights: Weights = {
    value: new Float64Array(countIds(user)),
    at: new Int32Array(countIds(user)),
    kept: 1 - 1 / k,
  }
  forEachCategory(stream, (records) => {
    const shown = new Int32Array(records.length)
    for (let i = 0; i < records.length; i++) shown[i] = user[records[i]]
    const { best, second } = lookAhead(shown, weights)
    const latest = new Int32Array(records.length)
    for (let i = 0; i < records.length; i++) {
      const own = time[records[i]]
      latest[i] = i === 0 ? own : Math.max(own, latest[i - 1])
      const start = firstAtLeast(latest, own, { to: i }) // i itself if none before: latest[i] ≥ own
      named[records[i]] = best[start] === shown[i] ? second[start] : best[start]
    }
  })
  return named
}

/**
 * By user: the weight as of release `at`; 0 between categories. One release earlier, `kept` times the weight is left.
 */
interface Weights {
  value: Float64Array
  at: Int32Array
  kept: number
}

/**
 * For every release: the two users with the largest weight from there on, or -1. The weight of u at s is W(s) = [u is
 * shown at s] + kept × W(s + 1). It runs from the last release to the first. All weights shrink alike, so only the user
 * shown can overtake.
 */
function lookAhead(shown: Int32Array, { value, at, kept }: Weights): { best: Int32Array; second: Int32Array } {
  const found = { best: new Int32Array(shown.length), second: new Int32Array(shown.length) }
  let best = -1
  let second = -1
  let bestWeight = 0
  let secondWeight = 0
  for (let s = shown.length - 1; s >= 0; s--) {
    const user = shown[s]
    bestWeight *= kept
    secondWeight *= kept
    const weight = 1 + (value[user] === 0 ? 0 : value[user] * kept ** (at[user] - s))
    value[user] = weight
    at[user] = s
    if (user === best) bestWeight = weight
    else if (best < 0 || weight >= bestWeight) {
      second = best
      secondWeight = bestWeight
      best = user
      bestWeight = weight
    } else if (second < 0 || weight >= secondWeight) {
      second = user
      secondWeight = weight
    }
    found.best[s] = best
    found.second[s] = second
  }
  for (let s = 0; s < shown.length; s++) value[shown[s]] = 0
  return found
}
