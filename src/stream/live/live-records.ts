import { growInt32 } from "../grow.ts"
import type { RecordColumns } from "../swapper.ts"
import { LiveTexts } from "./live-texts.ts"

/** Users that nobody waits for any more are known for a while: they come back. */
const idleUsers = 1 << 20

/** The records that wait, as columns by slot; a slot is used again when its record is gone. */
export class LiveRecords implements RecordColumns {
  readonly users = new LiveTexts({ idle: idleUsers })
  readonly texts = new LiveTexts()
  user = new Int32Array(64)
  text = new Int32Array(64)
  category = new Int32Array(64)
  topic = new Int32Array(64)
  time = new Int32Array(64)
  arrival = new Int32Array(64)
  /** -1: no click. */
  url = new Int32Array(64)
  rank = new Uint16Array(64)
  /** Hash of its user and query, by which it is known whether that was released. */
  pairHigh = new Uint32Array(64)
  pairLow = new Uint32Array(64)
  /** In the order of arrival. */
  number = new Float64Array(64)
  /** What of it waits; 0: the slot is free, or its record leaves. */
  parts = new Uint8Array(64)
  #slots = 0
  #free: number[] = []

  /** Slots that were ever used. */
  get slots(): number {
    return this.#slots
  }

  allocate(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    if (this.#slots === this.user.length) this.#grow()
    return this.#slots++
  }

  /** Gives back the slot, and lets go of its texts. */
  free(slot: number): void {
    this.users.drop(this.user[slot])
    this.texts.drop(this.text[slot])
    if (this.url[slot] >= 0) this.texts.drop(this.url[slot])
    this.parts[slot] = 0
    this.#free.push(slot)
  }

  /** The slots of all records that wait, in the order of arrival. */
  inOrder(): Int32Array {
    const waiting = new Int32Array(this.#slots)
    let count = 0
    for (let slot = 0; slot < this.#slots; slot++) if (this.parts[slot] !== 0) waiting[count++] = slot
    return waiting.subarray(0, count).sort((a, b) => this.number[a] - this.number[b])
  }

  #grow(): void {
    const least = this.#slots + 1
    this.user = growInt32(this.user, least)
    this.text = growInt32(this.text, least)
    this.category = growInt32(this.category, least)
    this.topic = growInt32(this.topic, least)
    this.time = growInt32(this.time, least)
    this.arrival = growInt32(this.arrival, least)
    this.url = growInt32(this.url, least)
    const { length } = this.user
    this.rank = enlarged(this.rank, new Uint16Array(length))
    this.pairHigh = enlarged(this.pairHigh, new Uint32Array(length))
    this.pairLow = enlarged(this.pairLow, new Uint32Array(length))
    this.number = enlarged(this.number, new Float64Array(length))
    this.parts = enlarged(this.parts, new Uint8Array(length))
  }
}

function enlarged<A extends Uint16Array | Uint32Array | Float64Array | Uint8Array>(old: A, larger: A): A {
  larger.set(old)
  return larger
}
