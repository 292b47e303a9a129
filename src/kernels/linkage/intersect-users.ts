import { orderByKey } from "../sort-segments.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"
import { findSurroundings, type Surroundings } from "./surroundings.ts"

export interface IntersectionOptions {
  k: number
  /** By text the group of texts that count as one, ids from 0; every text by itself unless given. */
  textGroup?: Int32Array
  /** How far from a record the others of its cell are looked at; 4 (k + 1) unless given. */
  reach?: number
}

/**
 * Intersects the users shown around equal texts: whoever repeats a text is shown around it each time. For each group of
 * texts the surroundings of its records (`findSurroundings`; a record inside the last one belongs to it, and they do not
 * overlap) are counted: h, those in which a user is shown with another text, against λ, those in which his share of the
 * category has him shown anyway, 1 − exp(−share × length) each. The surprise is h ln(h/λ) − (h − λ), the exponent of
 * Poisson's tail, negative for h < λ. Named is the most surprising user with h ≥ 2 other than the one shown: of the
 * record's cell where it has one, of all the group's surroundings otherwise. Among equals, who comes first. Nobody where
 * the group has one surrounding only.
 *
 * λ counts only categories in which he is shown around the group at all. O(k) per record of a repeated text.
 */
export function linkByIntersection(stream: ReleasedStream, options: IntersectionOptions): Int32Array {
  const { k, textGroup, reach = 4 * (k + 1) } = options
  const around = findSurroundings(stream, { k, reach })
  const { order } = around
  const group = Int32Array.from(order, (record) => {
    const text = stream.text[record]
    return textGroup === undefined ? text : textGroup[text]
  })
  const named = new Int32Array(order.length).fill(-1)
  const places = orderByKey(group, countIds(group))
  const crowd = new Crowd(stream, around, group)
  for (let start = 0; start < places.length; ) {
    let end = start + 1
    while (end < places.length && group[places[end]] === group[places[start]]) end++
    if (end - start > 1) crowd.nameFor(places.subarray(start, end), named)
    start = end
  }
  return named
}

/** The users around one group of texts at a time. */
class Crowd {
  readonly #stream: ReleasedStream
  readonly #around: Surroundings
  readonly #group: Int32Array
  /** By user: the number of the last group, part of a group in one category, and surrounding in which he was met. */
  readonly #inGroup: Int32Array
  readonly #inPart: Int32Array
  readonly #inSurrounding: Int32Array
  readonly #hits: Int32Array
  /** By user: what is expected of him, then how surprising he is. */
  readonly #surprise: Float64Array
  readonly #met: number[] = []
  /** The group looked at, and how many were. */
  #groupIn = -1
  #groups = 0
  #parts = 0
  #surroundings = 0
  /** The two most surprising users of the positions looked at. */
  #best = -1
  #second = -1

  constructor(stream: ReleasedStream, around: Surroundings, group: Int32Array) {
    this.#stream = stream
    this.#around = around
    this.#group = group
    const users = countIds(stream.user)
    this.#inGroup = new Int32Array(users)
    this.#inPart = new Int32Array(users)
    this.#inSurrounding = new Int32Array(users)
    this.#hits = new Int32Array(users)
    this.#surprise = new Float64Array(users)
  }

  /** Names a user for each of a group's records, which are given by their positions in ascending order. */
  nameFor(places: Uint32Array, named: Int32Array): void {
    const { order, from, to, isCell } = this.#around
    const { user } = this.#stream
    const starts: number[] = []
    const ends: number[] = []
    const firsts: number[] = [] // by surrounding, the first of the places in it
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
    this.#groupIn = this.#group[places[0]]
    this.#count(starts, ends)
    this.#best = this.#second = -1
    for (let s = 0; s < starts.length; s++) if (isCell[places[firsts[s]]] === 0) this.#rank(starts[s], ends[s])
    const [best, second] = [this.#best, this.#second]
    for (let s = 0; s < starts.length; s++) {
      const inCell = isCell[places[firsts[s]]] === 1
      this.#best = inCell ? -1 : best
      this.#second = inCell ? -1 : second
      if (inCell) this.#rank(starts[s], ends[s])
      const next = s + 1 < firsts.length ? firsts[s + 1] : places.length
      for (let i = firsts[s]; i < next; i++) {
        const record = order[places[i]]
        named[record] = this.#best === user[record] ? this.#second : this.#best
      }
    }
  }

  /** How surprising everyone in these surroundings of a group is, by category: those of one category are neighbours. */
  #count(starts: readonly number[], ends: readonly number[]): void {
    const { category } = this.#stream
    const { order } = this.#around
    this.#groups++
    this.#met.length = 0
    for (let s = 0; s < starts.length; ) {
      const own = category[order[starts[s]]]
      const first = s
      let length = 0
      for (; s < starts.length && category[order[starts[s]]] === own; s++) length += ends[s] - starts[s]
      this.#parts++
      const part = { surroundings: s - first, length: length / (s - first) }
      for (let i = first; i < s; i++) this.#meet(starts[i], ends[i], part)
    }
    for (const user of this.#met) {
      const hits = this.#hits[user]
      const expected = this.#surprise[user]
      const deviance = hits * Math.log(hits / expected) - (hits - expected)
      this.#surprise[user] = hits < expected ? -deviance : deviance
    }
  }

  /** Counts the users of one surrounding; `part` has how many there are in the category, and their mean length. */
  #meet(start: number, end: number, part: { surroundings: number; length: number }): void {
    const { order, share } = this.#around
    const { user } = this.#stream
    this.#surroundings++
    for (let p = start; p < end; p++) {
      const shown = user[order[p]]
      if (this.#group[p] === this.#groupIn || this.#inSurrounding[shown] === this.#surroundings) continue
      this.#inSurrounding[shown] = this.#surroundings
      if (this.#inGroup[shown] !== this.#groups) {
        this.#inGroup[shown] = this.#groups
        this.#met.push(shown)
        this.#hits[shown] = 0
        this.#surprise[shown] = 0
      }
      if (this.#inPart[shown] !== this.#parts) {
        this.#inPart[shown] = this.#parts
        this.#surprise[shown] += part.surroundings * (1 - Math.exp(-share[p] * part.length))
      }
      this.#hits[shown]++
    }
  }

  #rank(start: number, end: number): void {
    const { order } = this.#around
    const { user } = this.#stream
    const surprise = this.#surprise
    for (let p = start; p < end; p++) {
      const shown = user[order[p]]
      if (this.#group[p] === this.#groupIn || this.#hits[shown] < 2) continue
      if (shown === this.#best || shown === this.#second) continue
      if (this.#best < 0 || surprise[shown] > surprise[this.#best]) {
        this.#second = this.#best
        this.#best = shown
      } else if (this.#second < 0 || surprise[shown] > surprise[this.#second]) this.#second = shown
    }
  }
}
