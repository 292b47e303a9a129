import type { UserSets } from "./distinct-users.ts"
import type { CsrGraph } from "./join-similar.ts"

/**
 * Anonymity degree of every query: the largest k for which it is in a set whose members all see at least k distinct
 * users in their closed θ-neighbourhood inside the set. Degrees above `cap` are reported as `cap`. Carpineto & Romano
 * 2015, §3.3.
 *
 * Peeling: level by level, vertices that see no more users than the level are removed. support(v) = |∪ users(w), w ∈
 * N[v]| is monotone, so the order within a level does not matter.
 *
 * No user sets are stored for a vertex. It waits at a level that is at most its support, and its users are counted when
 * that level comes. That level is
 * - at first, the largest number of users that it or a neighbour has itself: the vertex with that number stays until
 *   then;
 * - later, the last count minus the users of each neighbour removed since.
 */
export function anonymityDegrees(graph: CsrGraph, users: UserSets, { cap }: { cap: number }): Uint32Array {
  const { offsets, neighbours } = graph
  const vertices = offsets.length - 1
  const degrees = new Uint32Array(vertices).fill(cap)
  const isGone = new Uint8Array(vertices)
  /** A lower bound of the support; 0 until it is counted. */
  const bound = new Uint32Array(vertices)
  const counter = new UserCounter(graph, users)
  const waiting = new LevelQueue(vertices, cap)
  for (let v = 0; v < vertices; v++) waiting.put(v, mostOwnUsers(graph, users, v))
  for (let level = 0; level < cap; level++) {
    for (let v = waiting.take(level); v >= 0; v = waiting.take(level)) {
      bound[v] = counter.count(v, isGone)
      if (bound[v] > level) {
        waiting.put(v, bound[v])
        continue
      }
      degrees[v] = level
      isGone[v] = 1
      const lost = users.offsets[v + 1] - users.offsets[v]
      for (let i = offsets[v]; i < offsets[v + 1]; i++) {
        const w = neighbours[i]
        // It is removed, waits at this level, or has not been counted yet.
        if (bound[w] <= level) continue
        bound[w] = Math.max(level, bound[w] - lost)
        waiting.move(w, bound[w])
      }
    }
  }
  return degrees
}

/** The largest number of users that v or one of its neighbours has itself. The degree of v is at least this. */
function mostOwnUsers({ offsets, neighbours }: CsrGraph, users: UserSets, v: number): number {
  let most = users.offsets[v + 1] - users.offsets[v]
  for (let i = offsets[v]; i < offsets[v + 1]; i++) {
    const w = neighbours[i]
    most = Math.max(most, users.offsets[w + 1] - users.offsets[w])
  }
  return most
}

/** Counts the distinct users around a vertex. */
class UserCounter {
  readonly #graph: CsrGraph
  readonly #users: UserSets
  /** By user: the last count that met them. */
  readonly #met: Uint32Array
  #counts = 0

  constructor(graph: CsrGraph, users: UserSets) {
    this.#graph = graph
    this.#users = users
    this.#met = new Uint32Array(users.users.reduce((most, user) => Math.max(most, user), -1) + 1)
  }

  /** Distinct users of v and of its neighbours that are not removed. */
  count(v: number, isGone: Uint8Array): number {
    const { offsets, neighbours } = this.#graph
    const { offsets: start, users } = this.#users
    const met = this.#met
    const count = ++this.#counts
    let distinct = 0
    for (let i = offsets[v] - 1; i < offsets[v + 1]; i++) {
      // v itself comes first.
      const w = i < offsets[v] ? v : neighbours[i]
      if (isGone[w] === 1) continue
      for (let u = start[w], end = start[w + 1]; u < end; u++) {
        if (met[users[u]] === count) continue
        met[users[u]] = count
        distinct++
      }
    }
    return distinct
  }
}

/** Vertices in rings, one for each level up to the cap. Each ring has an entry of its own, where it begins and ends. */
class LevelQueue {
  readonly #vertices: number
  readonly #cap: number
  readonly #next: Uint32Array
  readonly #previous: Uint32Array

  constructor(vertices: number, cap: number) {
    this.#vertices = vertices
    this.#cap = cap
    this.#next = Uint32Array.from({ length: vertices + cap + 1 }, (_, entry) => entry)
    this.#previous = this.#next.slice()
  }

  /** Takes the vertex that has waited longest at a level; -1 if there is none. */
  take(level: number): number {
    const v = this.#next[this.#vertices + level]
    if (v >= this.#vertices) return -1
    this.#unlink(v)
    return v
  }

  /**
   * Adds a vertex at the end of the ring. A vertex counted late has lost more neighbours by then, and is counted less
   * often.
   */
  put(v: number, level: number): void {
    const ring = this.#vertices + Math.min(level, this.#cap)
    const last = this.#previous[ring]
    this.#next[last] = v
    this.#previous[v] = last
    this.#next[v] = ring
    this.#previous[ring] = v
  }

  move(v: number, level: number): void {
    this.#unlink(v)
    this.put(v, level)
  }

  #unlink(v: number): void {
    this.#next[this.#previous[v]] = this.#next[v]
    this.#previous[this.#next[v]] = this.#previous[v]
  }
}
