import type { SearchLog } from "../../log/search-log.ts"

/** A log split in two by time, and the searches of its earlier part. */
export interface EarlierSearches {
  /** The first second of the later part. */
  split: number
  /** For each search of the earlier part, its query and its user. */
  set: Int32Array
  user: Int32Array
  users: number
  /** For each user, 1 if the earlier part has a search of theirs. */
  hasProfile: Uint8Array
  /** Users who searched in both parts. */
  inBoth: number
}

const [day, hour] = [86_400, 3600]

const known = new WeakMap<SearchLog, Map<number, EarlierSearches>>()

/**
 * Splits a log so that about this share of its searches are in the earlier part. The split is computed once, since a
 * study attacks many releases of one log.
 */
export function earlierSearches(log: SearchLog, share: number): EarlierSearches {
  const ofLog = known.get(log) ?? new Map<number, EarlierSearches>()
  known.set(log, ofLog)
  const made = ofLog.get(share) ?? cutLog(log, findSplit(log, share))
  ofLog.set(share, made)
  return made
}

/**
 * The time before which this share of the searches occurred, moved to the nearest midnight in UTC. Times truncated to
 * hours or days are then entirely on one side. In a log of less than four days it is moved to the nearest hour; in a
 * log of less than four hours not at all. If searches crowd into one day or one hour, the time is moved less, so that
 * each part keeps at least half of its intended share.
 */
function findSplit(log: SearchLog, share: number): number {
  const times = new Int32Array(log.events)
  for (let row = 0; row < log.rows; row++) times[log.event[row]] = log.time[row]
  times.sort()
  const at = times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0)
  const moved = [day, hour].flatMap((unit) => (span >= 4 * unit ? [Math.round(at / unit) * unit] : []))
  const keepsBoth = (split: number) => {
    const earlier = times.reduce((sum, time) => sum + (time < split ? 1 : 0), 0) / times.length
    return earlier >= share / 2 && 1 - earlier >= (1 - share) / 2
  }
  return moved.find(keepsBoth) ?? at
}

function cutLog(log: SearchLog, split: number): EarlierSearches {
  const [set, user] = [new Int32Array(log.events), new Int32Array(log.events)]
  let searches = 0
  const [hasProfile, isLater] = [new Uint8Array(log.users.size), new Uint8Array(log.users.size)]
  for (let row = 0; row < log.rows; row++) {
    const who = log.user[row]
    if (who < 0 || (row > 0 && log.event[row] === log.event[row - 1])) continue
    if (log.time[row] >= split) {
      isLater[who] = 1
      continue
    }
    hasProfile[who] = 1
    set[searches] = log.query[row]
    user[searches++] = who
  }
  const inBoth = hasProfile.reduce((sum, mark, who) => sum + (mark & isLater[who]), 0)
  const earlier = { set: set.slice(0, searches), user: user.slice(0, searches), users: log.users.size }
  return { split, ...earlier, hasProfile, inBoth }
}
