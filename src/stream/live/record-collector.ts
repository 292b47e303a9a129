import { growInt32 } from "../../swapper/grow.ts"
import type { StoredRecords } from "../store/frame.ts"
import {
  arrivalAt,
  type LiveRecords,
  queryLengthAt,
  rankAt,
  stride,
  type TextSpan,
  timeAt,
  topicAt,
  urlLengthAt,
} from "./live-records.ts"

/** The numbers of a record: its topic, its time, when it arrived (both in seconds), and its rank. */
export type RecordNumbers = Record<"topic" | "time" | "arrival" | "rank", number>

/** Collects records into columns, in the form in which a store keeps them. */
export class RecordCollector {
  #count = 0
  #topic = new Int32Array(64)
  #time = new Int32Array(64)
  #arrival = new Int32Array(64)
  #rank = new Uint16Array(64)
  #ends = new Uint32Array(3 * 64)
  #arena = new Uint8Array(1 << 12)
  #length = 0

  get count(): number {
    return this.#count
  }

  /** Bytes of all texts. */
  get bytes(): number {
    return this.#length
  }

  /** Copies the record of a slot. */
  addSlot(records: LiveRecords, slot: number): void {
    const { words, user, users, arena } = records
    const at = slot * stride
    const i = this.#count++
    if (i === this.#topic.length) this.#growColumns(i + 1)
    this.#topic[i] = words[at + topicAt]
    this.#time[i] = words[at + timeAt]
    this.#arrival[i] = words[at + arrivalAt]
    this.#rank[i] = words[at + rankAt]
    const owner = user[at]
    const userEnd = this.#length + users.length(owner)
    const queryEnd = userEnd + words[at + queryLengthAt]
    const end = queryEnd + words[at + urlLengthAt]
    if (end > this.#arena.length) this.#growArena(end)
    copyBytes(users.arena, users.start(owner), this.#arena, this.#length, userEnd)
    copyBytes(arena, records.start(slot), this.#arena, userEnd, end)
    this.#ends[3 * i] = userEnd
    this.#ends[3 * i + 1] = queryEnd
    this.#ends[3 * i + 2] = end
    this.#length = end
  }

  /** Copies record i of other columns. */
  addStored(records: StoredRecords, i: number): void {
    const { ends, arena: bytes, topic, time, arrival, rank } = records
    const [user, query, url] = [i === 0 ? 0 : ends[3 * i - 1], ends[3 * i], ends[3 * i + 1]]
    this.add({ topic: topic[i], time: time[i], arrival: arrival[i], rank: rank[i] }, [
      { bytes, start: user, end: query },
      { bytes, start: query, end: url },
      { bytes, start: url, end: ends[3 * i + 2] },
    ])
  }

  /** Copies a record with these texts: user, query, and url if there is one. */
  add({ topic, time, arrival, rank }: RecordNumbers, texts: readonly TextSpan[]): void {
    const i = this.#count++
    if (i === this.#topic.length) this.#growColumns(i + 1)
    this.#topic[i] = topic
    this.#time[i] = time
    this.#arrival[i] = arrival
    this.#rank[i] = rank
    for (let t = 0; t < 3; t++) {
      const text = texts[t]
      if (text !== undefined) {
        const end = this.#length + text.end - text.start
        if (end > this.#arena.length) this.#growArena(end)
        copyBytes(text.bytes, text.start, this.#arena, this.#length, end)
        this.#length = end
      }
      this.#ends[3 * i + t] = this.#length
    }
  }

  /**
   * Returns everything collected, and starts again. The columns may be longer than the records they hold. They are
   * overwritten by the next records, so they must be used before.
   */
  take(): StoredRecords {
    const count = this.#count
    this.#count = 0
    this.#length = 0
    return {
      count,
      topic: this.#topic,
      time: this.#time,
      arrival: this.#arrival,
      rank: this.#rank,
      ends: this.#ends,
      arena: this.#arena,
    }
  }

  #growColumns(least: number): void {
    this.#topic = growInt32(this.#topic, least)
    this.#time = growInt32(this.#time, least)
    this.#arrival = growInt32(this.#arrival, least)
    const { length } = this.#topic
    const rank = new Uint16Array(length)
    rank.set(this.#rank)
    this.#rank = rank
    const ends = new Uint32Array(3 * length)
    ends.set(this.#ends)
    this.#ends = ends
  }

  #growArena(least: number): void {
    const arena = new Uint8Array(Math.max(least, this.#arena.length * 2))
    arena.set(this.#arena)
    this.#arena = arena
  }
}

/** Copies the bytes that start at `from` to out[at, end). */
function copyBytes(bytes: Uint8Array, from: number, out: Uint8Array, at: number, end: number): void {
  for (let i = from, o = at; o < end; i++, o++) out[o] = bytes[i]
}
