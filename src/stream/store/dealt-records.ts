import { Interner, warmBatch } from "../../kernels/dictionary.ts"
import { hashBoth, mixPair, type PairSeeds } from "../../kernels/pair-hash.ts"
import { firstAtLeast } from "../../kernels/search-sorted.ts"
import type { StoredRecords } from "./frame.ts"
import type { StoreFacts } from "./store-facts.ts"

/**
 * State bits of a record: which parts leave with the releases, whether its user is shown, and whether the record was
 * found.
 */
const textLeaves = 1
const userLeaves = 2
const userShown = 4
const found = 8

/** Releases in order: the record, and the record whose user it is shown with. */
export interface Releases {
  record: Float64Array
  as: Float64Array
}

/**
 * What must be known about the records that releases name. It is filled in while all records pass by in order. Every
 * record from `base` on has a place. Of earlier records only those that are named have one, so memory is proportional
 * to the releases, not to what waits.
 */
export class DealtRecords {
  /** By release: the places of its two records. */
  readonly record: Int32Array
  readonly as: Int32Array
  /** By place: topic and hash of the pair. */
  readonly topic: Int32Array
  readonly pair: Uint32Array
  /** By place: number of the user among `users`, if the user is shown. */
  readonly user: Int32Array
  readonly users: Interner
  #state: Uint8Array
  #base: number
  #early: Float64Array
  #next = 0
  #seeds: PairSeeds
  #hashes = new Uint32Array(4)
  #shown = new ShownUsers()
  #sink = 0

  constructor(
    releases: Releases,
    options: { base: number; records: number; mode: StoreFacts["mode"]; seeds: PairSeeds },
  ) {
    this.#base = options.base
    this.#seeds = options.seeds
    this.#early = earlyNumbers(releases, options.base)
    const places = this.#early.length + options.records
    this.topic = new Int32Array(places)
    this.pair = new Uint32Array(places * 2)
    this.user = new Int32Array(places)
    this.#state = new Uint8Array(places)
    this.users = new Interner({ seed: options.seeds.high, expected: 1 << 16 })
    this.record = this.#placesOf(releases.record)
    this.as = this.#placesOf(releases.as)
    const leaves = options.mode === "strict" ? textLeaves | userLeaves : textLeaves
    const shown = options.mode === "strict" ? userShown : userShown | userLeaves
    for (const place of this.record) this.#state[place] |= leaves
    for (const place of this.as) this.#state[place] |= shown
  }

  /** True if a release names one of the numbers from the current one up to `last`, all before the base. */
  touches(last: number): boolean {
    return this.#next < this.#early.length && this.#early[this.#next] <= last
  }

  /**
   * Notes a record that passes by; numbers must ascend. Returns the parts of it that still wait afterwards. Call
   * `endBlock` before records of another block follow.
   */
  pass(records: StoredRecords, index: number, waiting: { number: number; parts: number }): number {
    let place = waiting.number - this.#base + this.#early.length
    if (waiting.number < this.#base) {
      while (this.#early[this.#next] < waiting.number) this.#next++
      if (this.#early[this.#next] !== waiting.number) return waiting.parts
      place = this.#next++
    }
    const state = this.#state[place]
    if (state !== 0) this.#take(records, index, place)
    return waiting.parts & ~state
  }

  /** Numbers the users of the records that passed by since the last call, all of one block. */
  endBlock({ arena }: StoredRecords): void {
    const { count, place, start, end, hash } = this.#shown
    for (let from = 0; from < count; from += warmBatch) {
      const to = Math.min(count, from + warmBatch)
      this.#sink ^= this.users.warm(hash, from, to)
      for (let i = from; i < to; i++) this.user[place[i]] = this.users.intern(arena, start[i], end[i], hash[i])
    }
    this.#shown.count = 0
  }

  /** True if every record that a release names has passed by. */
  get complete(): boolean {
    const state = this.#state
    const missing = (place: number) => (state[place] & found) === 0
    return !this.record.some(missing) && !this.as.some(missing)
  }

  #take(records: StoredRecords, index: number, place: number): void {
    const { arena, ends } = records
    const hashes = this.#hashes
    const start = index === 0 ? 0 : ends[index * 3 - 1]
    const middle = ends[index * 3]
    const state = this.#state[place]
    hashBoth(arena, { start, end: middle }, { seeds: this.#seeds, out: hashes, at: 0 })
    if ((state & textLeaves) !== 0) {
      this.topic[place] = records.topic[index]
      hashBoth(arena, { start: middle, end: ends[index * 3 + 1] }, { seeds: this.#seeds, out: hashes, at: 2 })
      this.pair[place * 2] = mixPair(hashes[0], hashes[2])
      this.pair[place * 2 + 1] = mixPair(hashes[1], hashes[3])
    }
    if ((state & userShown) !== 0) this.#shown.add(place, start, middle, hashes[0])
    this.#state[place] = state | found
  }

  #placesOf(numbers: Float64Array): Int32Array {
    const places = new Int32Array(numbers.length)
    const early = this.#early
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]
      places[i] = number >= this.#base ? number - this.#base + early.length : firstAtLeast(early, number)
    }
    return places
  }
}

/** The distinct numbers before `base`, sorted. */
function earlyNumbers({ record, as }: Releases, base: number): Float64Array {
  const numbers = new Float64Array(record.length * 2)
  let count = 0
  for (const column of [record, as])
    for (let i = 0; i < column.length; i++) if (column[i] < base) numbers[count++] = column[i]
  const sorted = numbers.subarray(0, count).sort()
  let distinct = 0
  for (let i = 0; i < count; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) numbers[distinct++] = sorted[i]
  return numbers.slice(0, distinct)
}

/** Users of a block that will be numbered: their places, their offsets in the block's arena, and their hashes. */
class ShownUsers {
  count = 0
  place = new Uint32Array(1 << 14)
  start = new Uint32Array(1 << 14)
  end = new Uint32Array(1 << 14)
  hash = new Uint32Array(1 << 14)

  add(place: number, start: number, end: number, hash: number): void {
    if (this.count === this.place.length) this.#grow()
    const at = this.count++
    this.place[at] = place
    this.start[at] = start
    this.end[at] = end
    this.hash[at] = hash
  }

  #grow(): void {
    const twice = (column: Uint32Array) => {
      const grown = new Uint32Array(column.length * 2)
      grown.set(column)
      return grown
    }
    this.place = twice(this.place)
    this.start = twice(this.start)
    this.end = twice(this.end)
    this.hash = twice(this.hash)
  }
}
