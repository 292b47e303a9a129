import { growInt32 } from "../../swapper/grow.ts"
import type { Frame } from "../store/frame.ts"
import {
  arrivalAt,
  type LiveRecords,
  queryLengthAt,
  rankAt,
  stride,
  timeAt,
  topicAt,
  urlLengthAt,
} from "./live-records.ts"

/** Collects what happens between two commits. */
export class FrameBuilder {
  readonly #records: LiveRecords
  // Columns of the records that arrived.
  #count = 0
  #topic = new Int32Array(64)
  #time = new Int32Array(64)
  #arrival = new Int32Array(64)
  #rank = new Uint16Array(64)
  #ends = new Uint32Array(3 * 64)
  #arena = new Uint8Array(1 << 12)
  #length = 0
  readonly #dealt = new NumberList()
  readonly #as = new NumberList()
  readonly #cellStart = new NumberList()
  readonly #cellTime = new NumberList()
  readonly #cellUsers = new NumberList()

  constructor(records: LiveRecords) {
    this.#records = records
  }

  /** Adds a record that arrived, in order of numbers. It is copied at once, while its numbers and texts are at hand. */
  add(slot: number): void {
    const { words, user, users, arena } = this.#records
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
    copyBytes(arena, this.#records.start(slot), this.#arena, userEnd, end)
    this.#ends[3 * i] = userEnd
    this.#ends[3 * i + 1] = queryEnd
    this.#ends[3 * i + 2] = end
    this.#length = end
  }

  openCell(time: number, users: number): void {
    this.#cellStart.push(this.#dealt.length)
    this.#cellTime.push(time)
    this.#cellUsers.push(users)
  }

  deal(slot: number, as: number): void {
    this.#dealt.push(this.#records.number(slot))
    this.#as.push(this.#records.number(as))
  }

  /**
   * Returns everything collected, and starts again. The result is overwritten by the next records, so it must be
   * encoded before they arrive.
   */
  take(
    behind: Pick<Frame, "input" | "change" | "totals" | "answered"> & { nextRecord: number; nextRelease: number },
  ): Frame {
    const { nextRecord, nextRelease, ...rest } = behind
    const releases = this.#dealt.length
    const starts = this.#cellStart.take()
    const cellEnd = Uint32Array.from(starts, (_, i) => starts[i + 1] ?? releases)
    const count = this.#count
    this.#count = 0
    this.#length = 0
    return {
      firstRecord: nextRecord - count,
      records: {
        count,
        topic: this.#topic,
        time: this.#time,
        arrival: this.#arrival,
        rank: this.#rank,
        ends: this.#ends,
        arena: this.#arena,
      },
      firstRelease: nextRelease - releases,
      deals: {
        record: this.#dealt.take(),
        as: this.#as.take(),
        cellEnd,
        cellTime: Int32Array.from(this.#cellTime.take()),
        cellUsers: Int32Array.from(this.#cellUsers.take()),
      },
      ...rest,
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

/** A list of numbers in the order in which they were added. */
class NumberList {
  #numbers = new Float64Array(64)
  length = 0

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Float64Array(this.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = value
  }

  /** Returns the numbers and empties the list. The result is overwritten by the next numbers. */
  take(): Float64Array {
    const taken = this.#numbers.subarray(0, this.length)
    this.length = 0
    return taken
  }
}
