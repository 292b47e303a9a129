import type { Frame } from "../store/frame.ts"
import type { LiveRecords } from "./live-records.ts"

/** Gathers what happens between two commits. */
export class FrameBuilder {
  readonly #records: LiveRecords
  readonly #slots = new NumberList()
  readonly #dealt = new NumberList()
  readonly #as = new NumberList()
  readonly #cellStart = new NumberList()
  readonly #cellTime = new NumberList()
  readonly #cellUsers = new NumberList()

  constructor(records: LiveRecords) {
    this.#records = records
  }

  /** A record that came, in the order of numbers. */
  add(slot: number): void {
    this.#slots.push(slot)
  }

  openCell(time: number, users: number): void {
    this.#cellStart.push(this.#dealt.length)
    this.#cellTime.push(time)
    this.#cellUsers.push(users)
  }

  deal(slot: number, as: number): void {
    this.#dealt.push(this.#records.number[slot])
    this.#as.push(this.#records.number[as])
  }

  /** All of it; begins anew. The slots must still hold their records. */
  take(behind: Pick<Frame, "input" | "change" | "totals"> & { nextRecord: number; nextRelease: number }): Frame {
    const { nextRecord, nextRelease, ...rest } = behind
    const releases = this.#dealt.length
    const starts = this.#cellStart.take()
    const cellEnd = Uint32Array.from(starts, (_, i) => starts[i + 1] ?? releases)
    const records = this.#store()
    return {
      firstRecord: nextRecord - records.count,
      records,
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

  #store(): Frame["records"] {
    const records = this.#records
    const { users, texts } = records
    const slots = this.#slots.take()
    const count = slots.length
    const topic = new Int32Array(count)
    const time = new Int32Array(count)
    const arrival = new Int32Array(count)
    const rank = new Uint16Array(count)
    const ends = new Uint32Array(count * 3)
    let arena = new Uint8Array(count * 48)
    let at = 0
    const copy = (from: Uint8Array, start: number, end: number) => {
      if (at + end - start > arena.length) {
        const larger = new Uint8Array((at + end - start) * 2)
        larger.set(arena)
        arena = larger
      }
      for (let i = start; i < end; i++) arena[at++] = from[i]
    }
    for (let i = 0; i < count; i++) {
      const slot = slots[i]
      topic[i] = records.topic[slot]
      time[i] = records.time[slot]
      arrival[i] = records.arrival[slot]
      rank[i] = records.rank[slot]
      const user = records.user[slot]
      copy(users.arena, users.start(user), users.end(user))
      ends[3 * i] = at
      const text = records.text[slot]
      copy(texts.arena, texts.start(text), texts.end(text))
      ends[3 * i + 1] = at
      const url = records.url[slot]
      if (url >= 0) copy(texts.arena, texts.start(url), texts.end(url))
      ends[3 * i + 2] = at
    }
    return { count, topic, time, arrival, rank, ends, arena: arena.subarray(0, at) }
  }
}

/** Numbers in the order in which they came. */
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

  /** A copy; empty from now on. */
  take(): Float64Array {
    const taken = this.#numbers.slice(0, this.length)
    this.length = 0
    return taken
  }
}
