import type { PositionColumns, RecordColumns } from "../../swapper/swapper.ts"
import { LiveTexts } from "./live-texts.ts"
import { grain, TextArena } from "./text-arena.ts"

/** How many users without waiting records are still remembered, because users come back. */
const idleUsers = 1 << 20

/**
 * The numbers of a record are next to each other, in 64 bytes, because a record leaves long after it arrived. Number n
 * of a slot is words[slot × stride + n].
 */
export const stride = 16
const userAt = 0
const textAt = 1
const categoryAt = 2
export const topicAt = 3
export const timeAt = 4
export const arrivalAt = 5
export const rankAt = 6
/** Which parts of the record wait; 0 if the slot is free or its record is leaving. */
export const partsAt = 7
/** Hash of user and query. It tells whether the pair was released before, and is part of the record's position. */
export const pairHighAt = 8
export const pairLowAt = 9
export const userHashAt = 10
/** Where the texts of the record are, the url after the query. A url of zero bytes means no url. */
const placeAt = 11
export const queryLengthAt = 12
export const urlLengthAt = 13
/** The number of the record in order of arrival; it takes two words. */
const numberAt = 14

/** Bytes [start, end) of `bytes`. */
export interface TextSpan {
  bytes: Uint8Array
  start: number
  end: number
}

/** The records that wait. A slot is reused when its record is gone. */
export class LiveRecords implements RecordColumns {
  readonly stride = stride
  readonly users = new LiveTexts({ idle: idleUsers })
  words = new Int32Array(0)
  /** Id among `users`, hash of the query, and category, each by slot × stride. */
  user = this.words
  text = this.words
  category = this.words
  position: PositionColumns = { time: this.words, high: this.words, low: this.words }
  #numbers = new Float64Array(0)
  readonly #texts = new TextArena()
  #slots = 0
  readonly #free: number[] = []

  constructor() {
    this.#reserve(64)
  }

  /** Number of slots that were ever used. */
  get slots(): number {
    return this.#slots
  }

  /** Bytes of queries and urls. */
  get arena(): Uint8Array {
    return this.#texts.arena
  }

  /** Where the query starts in the arena. */
  start(slot: number): number {
    return this.words[slot * stride + placeAt] * grain
  }

  /** The record's number, for the swapper. */
  arrival(slot: number): number {
    return this.number(slot)
  }

  number(slot: number): number {
    return this.#numbers[slot * (stride / 2) + numberAt / 2]
  }

  setNumber(slot: number, number: number): void {
    this.#numbers[slot * (stride / 2) + numberAt / 2] = number
  }

  /** The slot of a record, while slots are in order of record numbers. */
  find(number: number): number {
    let low = 0
    for (let high = this.#slots - 1; low < high; ) {
      const middle = (low + high) >>> 1
      if (this.number(middle) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  allocate(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    if ((this.#slots + 1) * stride > this.words.length) this.#reserve(Math.ceil(this.#slots * 1.5))
    return this.#slots++
  }

  /** Makes room for this many more records, and an eighth more for those that come afterwards. */
  reserve(more: number): void {
    const slots = Math.ceil((this.#slots + more) * 1.125)
    if (slots * stride > this.words.length) this.#reserve(slots)
  }

  /** Reads the memory of the slots that the next `count` records will get. The result has no meaning. */
  warmFree(count: number): number {
    let sink = 0
    const free = this.#free
    for (let i = Math.max(0, free.length - count); i < free.length; i++) sink ^= this.words[free[i] * stride]
    return sink
  }

  /** Reads the memory of the texts of a record. The result has no meaning. */
  peek(slot: number): number {
    return this.#texts.arena[this.start(slot)] ^ this.users.peek(this.user[slot * stride])
  }

  /** Stores the texts of a record. Where queries are compared, only their hashes are: see `text` of the swapper. */
  setTexts(slot: number, query: TextSpan, url: TextSpan | undefined): void {
    const queryLength = query.end - query.start
    const urlLength = url === undefined ? 0 : url.end - url.start
    const place = this.#texts.take(queryLength + urlLength)
    this.#texts.write(query.bytes, query.start, query.end, place * grain)
    if (url !== undefined) this.#texts.write(url.bytes, url.start, url.end, place * grain + queryLength)
    const at = slot * stride
    this.words[at + placeAt] = place
    this.words[at + queryLengthAt] = queryLength
    this.words[at + urlLengthAt] = urlLength
  }

  /** Frees the slot and its texts. */
  free(slot: number): void {
    const at = slot * stride
    const words = this.words
    this.users.drop(words[at + userAt])
    this.#texts.free(words[at + placeAt], words[at + queryLengthAt] + words[at + urlLengthAt])
    words[at + partsAt] = 0
    this.#free.push(slot)
  }

  /** The slots of all waiting records, in order of arrival. */
  inOrder(): Int32Array {
    const waiting = new Int32Array(this.#slots)
    let count = 0
    let isSorted = true
    for (let slot = 0; slot < this.#slots; slot++) {
      if (this.words[slot * stride + partsAt] === 0) continue
      if (count > 0 && this.number(waiting[count - 1]) > this.number(slot)) isSorted = false
      waiting[count++] = slot
    }
    const slots = waiting.subarray(0, count)
    return isSorted ? slots : slots.sort((a, b) => this.number(a) - this.number(b))
  }

  #reserve(slots: number): void {
    const buffer = new ArrayBuffer(slots * stride * 4)
    const words = new Int32Array(buffer)
    words.set(this.words)
    this.words = words
    this.#numbers = new Float64Array(buffer)
    this.user = new Int32Array(buffer, userAt * 4)
    this.text = new Int32Array(buffer, textAt * 4)
    this.category = new Int32Array(buffer, categoryAt * 4)
    this.position = {
      time: new Int32Array(buffer, timeAt * 4),
      high: new Int32Array(buffer, pairHighAt * 4),
      low: new Int32Array(buffer, pairLowAt * 4),
    }
  }
}
