import { countIds, forEachCategory, type LinkageOptions, type ReleasedStream } from "./released-stream.ts"
import { HeaviestPool, RandomPool, type UserPool } from "./user-pools.ts"

/**
 * Record linkage 1, Pàmies-Estrems et al. 2020, §IV-B: runs the swapping over its own output. A random waiting query
 * goes to a random appearance of a user other than the one shown with it. O(log k) per record.
 */
export function linkAtRandom(stream: ReleasedStream, options: LinkageOptions): Int32Array {
  return undoSwaps(stream, options, new RandomPool(sizesOf(stream, options)))
}

/**
 * Record linkage 2, ibid.: the query goes to the user, other than the one shown with it, who appears most often among
 * those that wait. Ties are broken at random. O(log k) per record.
 */
export function linkToMostFrequent(stream: ReleasedStream, options: LinkageOptions): Int32Array {
  return undoSwaps(stream, options, new HeaviestPool({ ...sizesOf(stream, options), profile: false }))
}

/**
 * Record linkage 3, ibid.: each user's appearances among those that wait are multiplied by how often the user was shown
 * in the category so far. The query goes to the user with the largest product, other than the one shown with it. Ties
 * are broken at random. O(log k) per record.
 */
export function linkByHistory(stream: ReleasedStream, options: LinkageOptions): Int32Array {
  return undoSwaps(stream, options, new HeaviestPool({ ...sizesOf(stream, options), profile: true }))
}

function sizesOf({ user }: ReleasedStream, { k, random }: LinkageOptions) {
  const users = countIds(user)
  return { users, slots: Math.min(k + 1, users), random }
}

/**
 * Algorithm 2, ibid., with its condition as a `while` loop: users and queries of a category wait in two pools. While
 * there are more than k distinct users, a random query leaves with the user whom the pool names. Returns by record the
 * user named, or -1 for records that still wait at the end.
 */
function undoSwaps(stream: ReleasedStream, { k, random }: LinkageOptions, pool: UserPool): Int32Array {
  if (!(k >= 1)) throw new RangeError("k must be at least 1: nobody else is left in a pool of one")
  const { user } = stream
  const named = new Int32Array(user.length).fill(-1)
  forEachCategory(stream, (records) => {
    const waiting = new Uint32Array(records.length)
    let held = 0
    for (let i = 0; i < records.length; i++) {
      pool.add(user[records[i]])
      waiting[held++] = records[i]
      while (pool.distinct > k) {
        const at = random.below(held)
        const record = waiting[at]
        waiting[at] = waiting[--held]
        named[record] = pool.take(user[record])
      }
    }
    pool.clear()
  })
  return named
}
