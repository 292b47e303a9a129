import type { Frame } from "../store/frame.ts"
import type { CoreChanges } from "./core-changes.ts"
import type { LiveRecords } from "./live-records.ts"
import { NumberList } from "./number-list.ts"
import { RecordCollector } from "./record-collector.ts"

/** Collects what happens between two commits. */
export class FrameBuilder implements CoreChanges {
  readonly #records: LiveRecords
  readonly #arrived = new RecordCollector()
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
    this.#arrived.addSlot(this.#records, slot)
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
    const cellEnd = new Uint32Array(starts.length).fill(releases)
    cellEnd.set(starts.subarray(1))
    const records = this.#arrived.take()
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
}
