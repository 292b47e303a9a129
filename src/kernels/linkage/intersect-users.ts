import { orderByKey } from "../sort-segments.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"
import { findSurroundings, type Surroundings } from "./surroundings.ts"

/** Options of the attacker who intersects the cells in which a text was seen. */
export interface IntersectionOptions {
  k: number
  /** By text: the group of texts that count as one, ids from 0 (default: each text is its own group). */
  textGroup?: Int32Array
  /** How far from a record the other records of its cell are read (default 4 (k + 1)). */
  reach?: number
}

/**
 * Intersects the users shown around equal texts. A user who repeats a text is shown around it each time.
 *
 * For each group of texts the surroundings of its records are counted (`findSurroundings`). A record inside the last
 * surrounding belongs to it, so surroundings do not overlap. For a user, h counts the surroundings in which the user is
 * shown with another text. λ is the number expected from the user's share of the category: the sum of 1 − exp(−share ×
 * length). The surprise is h ln(h/λ) − (h − λ), the exponent of Poisson's tail; it is negated for h < λ.
 *
 * Names the most surprising user with h ≥ 2, other than the one shown. Candidates are the users of the record's cell if
 * it has one, otherwise those of all the group's surroundings. Among equals, names the user who comes first in the
 * cell, or who was first met twice. Names nobody if the group has only one surrounding.
 *
 * λ counts only the categories in which the user is shown around the group at all. O(k) per record of a repeated text.
 */
export function linkByIntersection(stream: ReleasedStream, options: IntersectionOptions): Int32Array {
  const { k, textGroup, reach = 4 * (k + 1) } = options
  const around = findSurroundings(stream, { k, reach })
  const { order } = around
  const group = new Int32Array(order.length)
  for (let p = 0; p < order.length; p++) {
    const text = stream.text[order[p]]
    group[p] = textGroup === undefined ? text : textGroup[text]
  }
  const named = new Int32Array(order.length).fill(-1)
  const places = orderByKey(group, countIds(group))
  const crowd = new Crowd(around, { group, category: stream.category, users: countIds(stream.user) })
  for (let start = 0; start < places.length; ) {
    let end = start + 1
    while (end < places.length && group[places[end]] === group[places[start]]) end++
    if (end - start > 1) crowd.nameFor(places.subarray(start, end), named)
    start = end
  }
  return named
}

/**
 * The fields of a user are stored together, so that meeting a user waits for memory once. The field at 4 × user is the
 * number of the last surrounding in which the user was met. The others are at these offsets from it:
 */
const part = 1 // the last part in which the user was met; a part is a group's surroundings in one category
const hits = 2 // the number of the group's surroundings in which the user was met
const share = 3 // the user's share of that category, as a float

/** The users around one group of texts at a time. */
class Crowd {
  readonly #around: Surroundings
  /** By position. */
  readonly #group: Int32Array
  /** By record. */
  readonly #category: Int32Array
  readonly #met: Int32Array
  readonly #shares: Float32Array
  /** By user: λ of the parts before the last in which the user was met. It counts only if written for this group. */
  readonly #expected: Float64Array
  readonly #expectedFor: Int32Array
  /** By candidate, once all are counted. */
  readonly #surprise: Float64Array
  /** Users met in at least two surroundings of the group, in the order of their second. */
  readonly #candidates: number[] = []
  #surroundings = 0
  /** The number of the group's first part. For each of its parts: the number of surroundings and their mean length. */
  #firstPart = 1
  readonly #parts: { surroundings: number; length: number }[] = []
  /** The two most surprising users so far. */
  #best = -1
  #second = -1

  constructor(around: Surroundings, options: { group: Int32Array; category: Int32Array; users: number }) {
    this.#around = around
    this.#group = options.group
    this.#category = options.category
    this.#met = new Int32Array(options.users * 4)
    this.#shares = new Float32Array(this.#met.buffer)
    this.#expected = new Float64Array(options.users)
    this.#expectedFor = new Int32Array(options.users)
    this.#surprise = new Float64Array(options.users)
  }

  /** Names a user for each record of a group. The records are given by their positions in ascending order. */
  nameFor(places: Uint32Array, named: Int32Array): void {
    const { order, shown, from, to, isCell } = this.#around
    const starts: number[] = []
    const ends: number[] = []
    const firsts: number[] = [] // by surrounding: the first of its places
    let end = 0
    for (let i = 0; i < places.length; i++) {
      const p = places[i]
      if (p < end) continue
      starts.push(Math.max(from[p], end))
      end = to[p]
      ends.push(end)
      firsts.push(i)
    }
    if (starts.length < 2) return
    this.#count(starts, ends, this.#group[places[0]])
    this.#best = this.#second = -1
    for (const user of this.#candidates) this.#compare(user)
    const [best, second] = [this.#best, this.#second]
    for (let s = 0; s < starts.length; s++) {
      const inCell = isCell[places[firsts[s]]] === 1
      this.#best = inCell ? -1 : best
      this.#second = inCell ? -1 : second
      if (inCell) this.#compareIn(starts[s], ends[s], this.#group[places[0]])
      const next = s + 1 < firsts.length ? firsts[s + 1] : places.length
      for (let i = firsts[s]; i < next; i++) {
        named[order[places[i]]] = this.#best === shown[places[i]] ? this.#second : this.#best
      }
    }
  }

  /** Finds the candidates in these surroundings of a group, and how surprising each is. */
  #count(starts: readonly number[], ends: readonly number[], group: number): void {
    this.#firstPart += this.#parts.length
    this.#parts.length = 0
    this.#candidates.length = 0
    for (let s = 0; s < starts.length; ) {
      const own = this.#category[this.#around.order[starts[s]]]
      const first = s
      let length = 0
      // Positions are sorted by category, so those of one category are next to each other.
      for (; s < starts.length && this.#category[this.#around.order[starts[s]]] === own; s++)
        length += ends[s] - starts[s]
      this.#parts.push({ surroundings: s - first, length: length / (s - first) })
      for (let i = first; i < s; i++) this.#meet(starts[i], ends[i], group)
    }
    for (const user of this.#candidates) {
      const h = this.#met[4 * user + hits]
      const expected = this.#expectedOf(user)
      const deviance = h * Math.log(h / expected) - (h - expected)
      this.#surprise[user] = h < expected ? -deviance : deviance
    }
  }

  /** Counts the users of one surrounding of the last part. */
  #meet(start: number, end: number, group: number): void {
    const { shown, share: shareAt } = this.#around
    const groups = this.#group
    const met = this.#met
    const shares = this.#shares
    const surrounding = ++this.#surroundings
    const firstPart = this.#firstPart
    const lastPart = firstPart + this.#parts.length - 1
    for (let p = start; p < end; p++) {
      const user = shown[p]
      const at = 4 * user
      if (groups[p] === group || met[at] === surrounding) continue
      met[at] = surrounding
      if (met[at + part] === lastPart) {
        if (++met[at + hits] === 2) this.#candidates.push(user)
        continue
      }
      if (met[at + part] < firstPart) met[at + hits] = 1
      else {
        this.#expected[user] = this.#expectedOf(user)
        this.#expectedFor[user] = firstPart
        if (++met[at + hits] === 2) this.#candidates.push(user)
      }
      met[at + part] = lastPart
      shares[at + share] = shareAt[p]
    }
  }

  /** λ of a user, up to the last part in which they were met. */
  #expectedOf(user: number): number {
    const { surroundings, length } = this.#parts[this.#met[4 * user + part] - this.#firstPart]
    const before = this.#expectedFor[user] === this.#firstPart ? this.#expected[user] : 0
    return before + surroundings * (1 - Math.exp(-this.#shares[4 * user + share] * length))
  }

  #compareIn(start: number, end: number, group: number): void {
    const { shown } = this.#around
    for (let p = start; p < end; p++) {
      if (this.#group[p] !== group && this.#met[4 * shown[p] + hits] > 1) this.#compare(shown[p])
    }
  }

  #compare(user: number): void {
    const surprise = this.#surprise
    if (user === this.#best || user === this.#second) return
    if (this.#best < 0 || surprise[user] > surprise[this.#best]) {
      this.#second = this.#best
      this.#best = user
    } else if (this.#second < 0 || surprise[user] > surprise[this.#second]) this.#second = user
  }
}
