import { sharedObjects, type UserMatrices } from "./user-matrices.ts"

/** Lists of postings up to this length are read to their end, so they need no order. */
const sortedFrom = 64

/** Bounds are raised by this factor, which is more than the rounding error of the few sums in them. */
const roundingUp = 1 + 1e-12

/** The state of a search. */
interface Search {
  /** Number of users met. */
  met: number
  /** What the searching user has in the cells whose lists are not begun. */
  behind: number
  /** An upper bound of what a met user may have in the unread rest of lists that were abandoned. */
  missed: number
  wanted: number
  /** The smallest of the best scores when it was last computed, and the value of `behind` then. */
  least: number
  leastBehind: number
}

/** Finds users who share a cell: an inverted index from which users are taken as they are assigned. */
export interface NearestUsers {
  /**
   * The `count` users nearest to the given one, nearest first. Users at equal distance are in the order of ties. Only
   * users who share a cell are found, so there may be fewer. They stay in the index. A user who was not taken out may
   * be among their own nearest.
   */
  nearest(user: number, count: number): number[]
  /** Takes a user out of the index. */
  take(user: number): void
}

interface Postings {
  /** Of cell c: [starts[c], starts[c] + lengths[c]). Users who were taken out are removed when a list is next read. */
  starts: Uint32Array
  lengths: Uint32Array
  user: Int32Array
  count: Uint32Array
}

/**
 * Exact. Let c be the searching user and C their total. The nearness of u is s(u) = Σ min(c_i, C·u_i / U), at most C,
 * and D = 1 - s / C. The lists of c's cells are read rarest first; long lists are sorted by descending u_i / U.
 *
 * Consider an unmet user in the list of cell i, at or after a place where C·u_i / U = w. This user has at most min(c_i,
 * w) plus what c has in the cells not read yet. In a list that was abandoned before, the user has nothing or was ruled
 * out there. If the bound is less than the smallest of the `wanted` best scores so far, the list is abandoned. Met
 * users who may be among the best are then compared cell by cell. `tie` is a user's place among users of equal
 * distance.
 */
export function indexUsers(matrices: UserMatrices, options: { tie: Uint32Array }): NearestUsers {
  const { offsets, cells, counts, totals } = matrices
  const { tie } = options
  const postings = buildPostings(matrices)
  const taken = new Uint8Array(totals.length)
  const score = new Float64Array(totals.length) // U·s(u), whole numbers
  const met = new Int32Array(totals.length)
  const best = new BestScores()

  /** Reads the list of entry i of `from` while an unmet user in it could still be among the best. */
  function readList(from: number, i: number, search: Search): void {
    const { starts, lengths, user, count } = postings
    const cell = cells[i]
    const [own, whole] = [counts[i], totals[from]]
    const [start, end] = [starts[cell], starts[cell] + lengths[cell]]
    let write = start
    let nextLook = start + sortedFrom
    for (let at = start; at < end; at++) {
      if (at === nextLook) {
        nextLook += nextLook - start
        const most = Math.min(own, (count[at] * whole) / totals[user[at]])
        if (isOutdone(most, end - at, search)) {
          search.missed += most
          const gone = at - write
          user.copyWithin(start + gone, start, write)
          count.copyWithin(start + gone, start, write)
          starts[cell] += gone
          lengths[cell] -= gone
          return
        }
      }
      const other = user[at]
      if (taken[other] === 1) continue
      user[write] = other
      count[write++] = count[at]
      if (score[other] === 0) met[search.met++] = other
      score[other] += Math.min(own * totals[other], count[at] * whole)
    }
    lengths[cell] = write - start
  }

  /**
   * True if an unmet user with this weight in the current list cannot be among the best. Finding the smallest of the
   * best scores reads all met users, so two cheap checks come first. One of them uses that this smallest score has
   * risen by no more than what was read since it was last computed.
   */
  function isOutdone(most: number, unread: number, search: Search): boolean {
    const { met: size, behind, wanted } = search
    const bound = (most + behind) * roundingUp
    if (size < wanted || size > 4 * unread || bound >= search.least + search.leastBehind - behind) return false
    search.least = best.least(score, totals, { met, size, wanted })
    search.leastBehind = behind
    return bound < search.least
  }

  function nearest(from: number, wanted: number): number[] {
    const entries = rarestFirst(from)
    const search = { met: 0, behind: totals[from], missed: 0, wanted, least: 0, leastBehind: totals[from] }
    for (const i of entries) {
      if (isOutdone(0, postings.lengths[cells[i]], search)) break
      search.behind -= counts[i]
      readList(from, i, search)
    }
    const found = choose(from, search)
    for (let m = 0; m < search.met; m++) score[met[m]] = 0
    return found
  }

  /**
   * The best of the met users. If their scores are incomplete, they are completed: first for the users who are ahead so
   * far, then for those who may still be among the best.
   */
  function choose(from: number, { met: size, behind, missed, wanted }: Search): number[] {
    const missing = behind + missed
    const ahead = size > wanted ? best.least(score, totals, { met, size, wanted }) : 0
    const chosen = new NearestFirst(wanted, tie)
    for (const isAhead of missing > 0 ? [true, false] : [true]) {
      for (let m = 0; m < size; m++) {
        const user = met[m]
        const known = score[user] / totals[user]
        if (known >= ahead !== isAhead || (known + missing) * roundingUp < chosen.least) continue
        chosen.add(user, missing > 0 ? sharedObjects(matrices, from, user) / totals[user] : known)
      }
      chosen.settle()
    }
    return chosen.users()
  }

  /** Entries of a user, those whose cell has the fewest users first. */
  function rarestFirst(user: number): number[] {
    const { lengths } = postings
    const entries: number[] = []
    for (let i = offsets[user]; i < offsets[user + 1]; i++) entries.push(i)
    return entries.sort((a, b) => lengths[cells[a]] - lengths[cells[b]] || a - b)
  }

  return {
    nearest,
    take: (user) => {
      taken[user] = 1
    },
  }
}

/**
 * Postings of the cells that at least two users have. Long lists are sorted by descending share of the user's objects.
 */
function buildPostings({ offsets, cells, counts, totals, size }: UserMatrices): Postings {
  const lengths = new Uint32Array(size)
  for (const cell of cells) lengths[cell]++
  const starts = new Uint32Array(size + 1)
  for (let cell = 0; cell < size; cell++) {
    if (lengths[cell] === 1) lengths[cell] = 0
    starts[cell + 1] = starts[cell] + lengths[cell]
  }
  const next = starts.slice(0, size)
  const [user, count] = [new Int32Array(starts[size]), new Uint32Array(starts[size])]
  for (let u = 0; u < totals.length; u++) {
    for (let i = offsets[u]; i < offsets[u + 1]; i++) {
      if (lengths[cells[i]] === 0) continue
      const at = next[cells[i]]++
      user[at] = u
      count[at] = counts[i]
    }
  }
  for (let cell = 0; cell < size; cell++) {
    if (lengths[cell] <= sortedFrom) continue
    const [start, end] = [starts[cell], starts[cell + 1]]
    const order = Uint32Array.from({ length: end - start }, (_, i) => start + i)
    order.sort((a, b) => count[b] * totals[user[a]] - count[a] * totals[user[b]] || a - b)
    user.set(
      Int32Array.from(order, (at) => user[at]),
      start,
    )
    count.set(
      Uint32Array.from(order, (at) => count[at]),
      start,
    )
  }
  return { starts, lengths, user, count }
}

/** The `wanted` nearest users, nearest first. Equals are ordered by their place among ties. */
class NearestFirst {
  /** The smallest nearness that a user needs to be among them. */
  least = 0
  #held: { user: number; nearness: number }[] = []
  readonly #wanted: number
  readonly #tie: Uint32Array

  constructor(wanted: number, tie: Uint32Array) {
    this.#wanted = wanted
    this.#tie = tie
  }

  add(user: number, nearness: number): void {
    if (nearness < this.least) return
    this.#held.push({ user, nearness })
    if (this.#held.length >= 2 * this.#wanted + 16) this.settle()
  }

  users(): number[] {
    return this.#held.map(({ user }) => user)
  }

  /** Drops the users who are not among them. */
  settle(): void {
    this.#held.sort((a, b) => b.nearness - a.nearness || this.#tie[a.user] - this.#tie[b.user])
    this.#held.length = Math.min(this.#held.length, this.#wanted)
    if (this.#held.length === this.#wanted) this.least = this.#held[this.#wanted - 1].nearness
  }
}

/** Finds the smallest of the `wanted` best scores of met users, with a heap of that size. */
class BestScores {
  #heap = new Float64Array(16)

  least(
    score: Float64Array,
    totals: Uint32Array,
    { met, size, wanted }: { met: Int32Array; size: number; wanted: number },
  ): number {
    if (this.#heap.length < wanted) this.#heap = new Float64Array(wanted * 2)
    const heap = this.#heap
    let held = 0
    for (let m = 0; m < size; m++) {
      const value = score[met[m]] / totals[met[m]]
      let at: number
      if (held < wanted) {
        for (at = held++; at > 0 && value < heap[(at - 1) >> 1]; at = (at - 1) >> 1) heap[at] = heap[(at - 1) >> 1]
        heap[at] = value
        continue
      }
      if (value <= heap[0]) continue
      for (at = 0; ; ) {
        let child = at * 2 + 1
        if (child >= wanted) break
        if (child + 1 < wanted && heap[child + 1] < heap[child]) child++
        if (heap[child] >= value) break
        heap[at] = heap[child]
        at = child
      }
      heap[at] = value
    }
    return heap[0]
  }
}
