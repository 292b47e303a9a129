import { sharedObjects, type UserMatrices } from "./user-matrices.ts"

/** Shorter lists of postings are read to their end, so they need no order. */
const sortedFrom = 64

/** Bounds are raised by more than the rounding of the few sums in them. */
const roundingUp = 1 + 1e-12

/** How far a search has come. */
interface Search {
  /** Users met. */
  met: number
  /** What the user who is looked from has in the cells whose lists are not begun. */
  behind: number
  /** The most that a user who was met may have in the lists that were left, behind where they were. */
  missed: number
  wanted: number
  /** The least of the best scores when it was last looked at, and what was `behind` then. */
  least: number
  leastBehind: number
}

/** Where to look for users who share a cell: an inverted index from which users are taken as they are assigned. */
export interface NearestUsers {
  /**
   * The `count` users nearest to one, nearest first, of equals the first in the order of ties; only those who share a cell,
   * so there may be fewer. They stay in the index. A user who was not taken out may be among their own nearest.
   */
  nearest(user: number, count: number): number[]
  /** Takes a user out. */
  take(user: number): void
}

interface Postings {
  /** Of cell c: [starts[c], starts[c] + lengths[c]); users who were taken leave when a list is next read. */
  starts: Uint32Array
  lengths: Uint32Array
  user: Int32Array
  count: Uint32Array
}

/**
 * Exact. With C the total of the user c who is looked from, the nearness of u is s(u) = Σ min(c_i, C·u_i / U), of at most C;
 * D = 1 - s / C. The lists of the cells of c are read rarest first, long ones by falling u_i / U. Who was not met before
 * and stands in cell i at or behind a place where C·u_i / U = w has at most min(c_i, w) and what c has in the cells that are
 * not read yet (in a list that was left before he has nothing, or he was ruled out there); when that is less than the least
 * of the `wanted` best of those met, the list is left. Who was met and may be among the best is then compared cell by
 * cell. `tie` is a user's place among users of equal distance.
 */
export function indexUsers(matrices: UserMatrices, options: { tie: Uint32Array }): NearestUsers {
  const { offsets, cells, counts, totals } = matrices
  const { tie } = options
  const postings = buildPostings(matrices)
  const taken = new Uint8Array(totals.length)
  const score = new Float64Array(totals.length) // U·s(u), whole numbers
  const met = new Int32Array(totals.length)
  const best = new BestScores()

  /** Reads the list of entry i of `from` while somebody new may come who counts. */
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
   * True if a user who was not met, with this much in the list that is being read, cannot be among the best. The least of the
   * best has risen by no more than what was read since it was last known, and finding it costs a look at all who were met:
   * both are asked first.
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
   * The best of those met. Where something of their scores is missing it is made up, first for who is ahead so far, then
   * for who may still be among the best of these.
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

  /** Entries of a user whose cell others have too, those of the fewest users first. */
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

/** Postings of the cells that at least two users have; long lists by falling share of the user's objects. */
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

/** So many users, the nearest first, of equals by their place among ties. */
class NearestFirst {
  /** What a user needs at least to be among them. */
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

  /** Lets go of who is not among them. */
  settle(): void {
    this.#held.sort((a, b) => b.nearness - a.nearness || this.#tie[a.user] - this.#tie[b.user])
    this.#held.length = Math.min(this.#held.length, this.#wanted)
    if (this.#held.length === this.#wanted) this.least = this.#held[this.#wanted - 1].nearness
  }
}

/** The least of the best scores of those met, by a heap of so many. */
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
