import { growInt32 } from "../../swapper/grow.ts"
import { grain, TextArena } from "./text-arena.ts"

/** Marks a slot whose text was removed. */
const gone = -1

/** Each id has this many numbers next to each other. */
const stride = 8
const placeAt = 0
const lengthAt = 1
const holdsAt = 2
const generationAt = 3
const idleAt = 4 // its position in the queue of idle ids, cut to 32 bits
const hashAt = 5

/**
 * Texts under ids that are reused. An id lives as long as it is held; the last `idle` ids that are no longer held are
 * also kept, in case their texts come back. Memory is proportional to the largest number of texts held at one time.
 *
 * Open addressing with linear probing, (hash, id + 1) in each slot.
 */
export class LiveTexts {
  readonly #idleMost: number
  #table = new Int32Array(2 * 64)
  #mask = 63
  #used = 0 // slots with an id or a removal mark
  #count = 0
  #words = new Int32Array(stride * 64)
  readonly #free: number[] = []
  #ids = 0
  readonly #allocator = new TextArena()
  // Ids in the order in which they became idle. An id that is held again leaves a stale entry.
  #queue = new Int32Array(64)
  #first = 0
  #last = 0

  constructor({ idle = 0 }: { idle?: number } = {}) {
    this.#idleMost = idle
  }

  /** Number of texts that are held or idle. */
  get size(): number {
    return this.#count
  }

  /** The largest id so far, plus one. Columns by id have at least this length. */
  get ids(): number {
    return this.#ids
  }

  get arena(): Uint8Array {
    return this.#allocator.arena
  }

  /** Where a text begins in the arena. */
  start(id: number): number {
    return this.#words[id * stride + placeAt] * grain
  }

  /** Bytes of a text. */
  length(id: number): number {
    return this.#words[id * stride + lengthAt]
  }

  /**
   * How many texts have used this id. Data stored by id belongs to the current text only if its generation is the same.
   */
  generation(id: number): number {
    return this.#words[id * stride + generationAt]
  }

  /** A text in UTF-8; valid until the next change. */
  bytes(id: number): Uint8Array {
    const start = this.start(id)
    return this.arena.subarray(start, start + this.length(id))
  }

  /**
   * Reads the memory that `hold` will need for the first `count` texts with these hashes, for all of them together.
   * Writes the ids that they probably have to `ids`, or -1. Changes nothing. Returns a number only so that the reads
   * are not optimised away.
   */
  warm(hashes: Uint32Array, { count, ids }: { count: number; ids: Int32Array }): number {
    const table = this.#table
    const words = this.#words
    const { arena } = this.#allocator
    let sink = 0
    for (let i = 0; i < count; i++) {
      const slot = hashes[i] & this.#mask
      ids[i] = table[slot * 2] === (hashes[i] | 0) && table[slot * 2 + 1] > 0 ? table[slot * 2 + 1] - 1 : -1
    }
    for (let i = 0; i < count; i++) if (ids[i] >= 0) sink ^= words[ids[i] * stride]
    for (let i = 0; i < count; i++) if (ids[i] >= 0) sink ^= arena[words[ids[i] * stride + placeAt] * grain]
    return sink
  }

  /** Reads the memory of a text. Returns a number only so that the reads are not optimised away. */
  peek(id: number): number {
    return this.#words[id * stride]
  }

  /** Returns the id of a text and adds one hold. `hash` must be a function of the bytes. */
  hold(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start
    const table = this.#table
    const mask = this.#mask
    const tag = hash | 0
    let slot = hash & mask
    let vacant = -1
    for (; table[slot * 2 + 1] !== 0; slot = (slot + 1) & mask) {
      const held = table[slot * 2 + 1]
      if (held === gone) {
        if (vacant < 0) vacant = slot
      } else if (table[slot * 2] === tag && this.#isText(held - 1, bytes, start, length)) {
        this.#words[(held - 1) * stride + holdsAt]++
        return held - 1
      }
    }
    if (vacant < 0) {
      vacant = slot
      this.#used++
    }
    const id = this.#newId()
    table[vacant * 2] = tag
    table[vacant * 2 + 1] = id + 1
    const place = this.#allocator.take(length)
    this.#allocator.write(bytes, start, end, place * grain)
    const words = this.#words
    const at = id * stride
    words[at + placeAt] = place
    words[at + lengthAt] = length
    words[at + holdsAt] = 1
    words[at + generationAt]++
    words[at + hashAt] = hash
    this.#count++
    if (this.#used * 2 > this.#mask) this.#rebuild()
    return id
  }

  /** Removes one hold. */
  drop(id: number): void {
    const words = this.#words
    if (--words[id * stride + holdsAt] > 0) return
    if (this.#idleMost === 0) {
      this.#forget(id)
      return
    }
    words[id * stride + idleAt] = this.#last
    if (this.#last - this.#first === this.#queue.length) this.#growQueue()
    this.#queue[this.#last++ & (this.#queue.length - 1)] = id
    while (this.#last - this.#first > this.#idleMost) {
      const place = this.#first++
      const oldest = this.#queue[place & (this.#queue.length - 1)]
      const at = oldest * stride
      if (words[at + holdsAt] === 0 && words[at + idleAt] === (place | 0)) this.#forget(oldest)
    }
  }

  #isText(id: number, bytes: Uint8Array, start: number, length: number): boolean {
    const words = this.#words
    if (words[id * stride + lengthAt] !== length) return false
    const { arena } = this.#allocator
    const at = words[id * stride + placeAt] * grain
    for (let i = 0; i < length; i++) if (arena[at + i] !== bytes[start + i]) return false
    return true
  }

  #newId(): number {
    const id = this.#free.pop()
    if (id !== undefined) return id
    const least = (this.#ids + 1) * stride
    if (least > this.#words.length) this.#words = growInt32(this.#words, least)
    return this.#ids++
  }

  #forget(id: number): void {
    const at = id * stride
    const words = this.#words
    const table = this.#table
    let slot = words[at + hashAt] & this.#mask
    while (table[slot * 2 + 1] !== id + 1) slot = (slot + 1) & this.#mask
    const isLast = table[((slot + 1) & this.#mask) * 2 + 1] === 0
    table[slot * 2 + 1] = isLast ? 0 : gone
    if (isLast) this.#used--
    words[at + holdsAt] = -1 // neither held nor idle
    this.#allocator.free(words[at + placeAt], words[at + lengthAt])
    this.#free.push(id)
    this.#count--
  }

  /** Rebuilds the table without removal marks, at most a quarter full. */
  #rebuild(): void {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(64, this.#count * 4)))
    const old = this.#table
    const table = new Int32Array(capacity * 2)
    const mask = capacity - 1
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] <= 0) continue
      let slot = old[i] & mask
      while (table[slot * 2 + 1] !== 0) slot = (slot + 1) & mask
      table[slot * 2] = old[i]
      table[slot * 2 + 1] = old[i + 1]
    }
    this.#table = table
    this.#mask = mask
    this.#used = this.#count
  }

  #growQueue(): void {
    const queue = new Int32Array(this.#queue.length * 2)
    for (let place = this.#first; place < this.#last; place++)
      queue[place & (queue.length - 1)] = this.#queue[place & (this.#queue.length - 1)]
    this.#queue = queue
  }
}
