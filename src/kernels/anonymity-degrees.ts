import type { UserSets } from "./distinct-users.ts"
import type { CsrGraph } from "./join-similar.ts"

/**
 * Anonymity degree of every query: the largest k for which it sits in a set whose members all see at least k distinct
 * users in their closed θ-neighbourhood inside the set, or `cap` where that is larger. Carpineto & Romano 2015, §3.3.
 *
 * Peeling, as Batagelj & Zaveršnik 2003: the vertex of least support goes first, and its degree is the largest support
 * that any vertex had when it went, so far. support(v) = |∪ users(w), w ∈ N[v]| is monotone, so the order does not matter.
 *
 * A vertex whose own users reach `cap` is never peeled, so its neighbours see `cap` users to the end: neither needs
 * counters. For each of the others and each user it sees there is a counter of the neighbours by which it sees him.
 */
export function anonymityDegrees(graph: CsrGraph, users: UserSets, { cap }: { cap: number }): Uint32Array {
  const { offsets, neighbours } = graph
  const vertices = offsets.length - 1
  const degrees = new Uint32Array(vertices)
  const isSafe = markSafe(graph, users, cap)
  const seen = new SeenUsers(graph, users, isSafe)
  const support = new Uint32Array(vertices)
  for (let v = 0; v < vertices; v++) support[v] = isSafe[v] === 1 ? cap : Math.min(cap, seen.count(v))
  const queue = new PeelQueue(support, cap)
  let level = 0
  for (let v = queue.next(); v >= 0; v = queue.next()) {
    level = Math.max(level, support[v])
    degrees[v] = level
    if (level === cap) {
      // Nothing is left that has less.
      degrees[v] = cap
      continue
    }
    for (let i = offsets[v]; i < offsets[v + 1]; i++) {
      const w = neighbours[i]
      // What has no more than this level's support goes at this level, whatever else it loses.
      if (isSafe[w] === 1 || support[w] <= level || queue.isOut(w)) continue
      for (let u = users.offsets[v]; u < users.offsets[v + 1]; u++) {
        if (seen.lose(w, users.users[u]) && seen.count(w) < support[w]) queue.lower(w)
      }
    }
  }
  return degrees
}

/** 1 for what has `cap` users of its own, or a neighbour that has. */
function markSafe({ offsets, neighbours }: CsrGraph, users: UserSets, cap: number): Uint8Array {
  const isSafe = new Uint8Array(offsets.length - 1)
  for (let v = 0; v < isSafe.length; v++) {
    if (users.offsets[v + 1] - users.offsets[v] < cap) continue
    isSafe[v] = 1
    for (let i = offsets[v]; i < offsets[v + 1]; i++) isSafe[neighbours[i]] = 1
  }
  return isSafe
}

/** For each vertex that is not safe, the users in its closed neighbourhood, and how many vertices there have each. */
class SeenUsers {
  readonly #starts: Float64Array
  readonly #user: Int32Array
  readonly #count: Uint32Array
  readonly #left: Uint32Array

  constructor({ offsets, neighbours }: CsrGraph, users: UserSets, isSafe: Uint8Array) {
    const vertices = isSafe.length
    const ownUsers = users.users
    const ownStart = users.offsets
    this.#starts = new Float64Array(vertices + 1)
    this.#left = new Uint32Array(vertices)
    let most = 0
    let total = 0
    for (let v = 0; v < vertices; v++) {
      if (isSafe[v] === 1) continue
      let size = ownStart[v + 1] - ownStart[v]
      for (let i = offsets[v]; i < offsets[v + 1]; i++) size += ownStart[neighbours[i] + 1] - ownStart[neighbours[i]]
      most = Math.max(most, size)
      total += size
    }
    const user = new Int32Array(total)
    const count = new Uint32Array(total)
    const gathered = new Int32Array(most)
    let end = 0
    for (let v = 0; v < vertices; v++) {
      this.#starts[v] = end
      if (isSafe[v] === 1) continue
      let size = 0
      for (let u = ownStart[v]; u < ownStart[v + 1]; u++) gathered[size++] = ownUsers[u]
      for (let i = offsets[v]; i < offsets[v + 1]; i++) {
        const w = neighbours[i]
        for (let u = ownStart[w]; u < ownStart[w + 1]; u++) gathered[size++] = ownUsers[u]
      }
      const sorted = gathered.subarray(0, size).sort()
      for (let i = 0; i < size; i++) {
        if (i > 0 && sorted[i] === sorted[i - 1]) {
          count[end - 1]++
        } else {
          user[end] = sorted[i]
          count[end++] = 1
        }
      }
      this.#left[v] = end - this.#starts[v]
    }
    this.#starts[vertices] = end
    this.#user = user.subarray(0, end)
    this.#count = count.subarray(0, end)
  }

  /** Distinct users that a vertex still sees. */
  count(v: number): number {
    return this.#left[v]
  }

  /** One neighbour of v with this user is gone; true when v now does not see him any more. */
  lose(v: number, user: number): boolean {
    let low = this.#starts[v]
    let high = this.#starts[v + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.#user[middle] < user) low = middle + 1
      else high = middle
    }
    if (--this.#count[low] > 0) return false
    this.#left[v]--
    return true
  }
}

/** Vertices in order of their support, which only falls, one at a time: Batagelj & Zaveršnik's bins. */
class PeelQueue {
  readonly #support: Uint32Array
  readonly #order: Uint32Array
  readonly #place: Uint32Array
  /** Where the vertices of each support begin in the order. */
  readonly #begin: Uint32Array
  #at = 0

  constructor(support: Uint32Array, cap: number) {
    this.#support = support
    this.#begin = new Uint32Array(cap + 2)
    for (const value of support) this.#begin[value + 1]++
    for (let value = 0; value <= cap; value++) this.#begin[value + 1] += this.#begin[value]
    this.#order = new Uint32Array(support.length)
    this.#place = new Uint32Array(support.length)
    const next = this.#begin.slice()
    for (let v = 0; v < support.length; v++) {
      this.#place[v] = next[support[v]]++
      this.#order[this.#place[v]] = v
    }
  }

  /** The next vertex to go, or -1. */
  next(): number {
    return this.#at < this.#order.length ? this.#order[this.#at++] : -1
  }

  isOut(v: number): boolean {
    return this.#place[v] < this.#at
  }

  /** The support of v falls by one, unless v goes at this level anyway. */
  lower(v: number): void {
    const current = this.#support[this.#order[this.#at - 1]]
    const value = this.#support[v]
    if (value <= current) return
    // v changes places with the first of its support, which then begins one later.
    const first = Math.max(this.#begin[value], this.#at)
    const other = this.#order[first]
    this.#order[this.#place[v]] = other
    this.#place[other] = this.#place[v]
    this.#order[first] = v
    this.#place[v] = first
    this.#begin[value] = first + 1
    this.#support[v] = value - 1
  }
}
