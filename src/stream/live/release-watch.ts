import { hashBytes } from "../../kernels/dictionary.ts"
import { mixPair } from "../../kernels/pair-hash.ts"
import type { ClosingCell } from "./closing-cell.ts"
import { RecentQuantiles } from "./delays.ts"
import { arrivalAt, type LiveRecords, queryLengthAt, stride, type TextSpan, userHashAt } from "./live-records.ts"
import type { OfferedRecord } from "./offered-record.ts"
import type { RiskWindow } from "./risk-window.ts"
import { dayOf, type NameLifetime } from "./user-names.ts"

/** Observes releases: how long they waited, and what the running attack sees of them. */
export class ReleaseWatch {
  readonly delayRecords = new RecentQuantiles({ whole: true })
  readonly delaySeconds = new RecentQuantiles()
  readonly #records: LiveRecords
  readonly #window: RiskWindow
  readonly #scope: number | undefined
  /** Reused for each release, because there are millions. */
  readonly #text: TextSpan = { bytes: new Uint8Array(0), start: 0, end: 0 }
  /** How long a name lasts, from now on. */
  names: NameLifetime = "cell"

  /** With `cellScope`, cells of the same number in another scope are other cells of the window. */
  constructor(records: LiveRecords, { window, cellScope }: { window: RiskWindow; cellScope?: string | undefined }) {
    this.#records = records
    this.#window = window
    const scope = cellScope === undefined ? undefined : Buffer.from(cellScope)
    this.#scope = scope && hashBytes(scope, 0, scope.length, 0)
  }

  /**
   * The record in `slot` leaves under the user of the record in `as`. Positional, because it is called for each
   * release.
   */
  see(slot: number, as: number, cell: ClosingCell, { number, now }: OfferedRecord): void {
    const records = this.#records
    const { words } = records
    const at = slot * stride
    this.delayRecords.add(number - records.number(slot), now)
    this.delaySeconds.add(now / 1000 - words[at + arrivalAt], now)
    const inWindow = this.#scope === undefined ? cell.number : mixPair(this.#scope, cell.number)
    const text = this.#text
    text.bytes = records.arena
    text.start = records.start(slot)
    text.end = text.start + words[at + queryLengthAt]
    this.#window.add(
      this.#standIn(words[as * stride + userHashAt], inWindow, cell.time),
      this.#standIn(words[at + userHashAt], inWindow, cell.time),
      records.text[at],
      records.category[at],
      cell.time,
      inWindow,
      text,
    )
  }

  /**
   * A number for the name that a user has in a cell. It stays the same as long as the name does. Positional, as `see`.
   */
  #standIn(userHash: number, cell: number, time: number): number {
    const { names } = this
    if (names === "cell" || names === "drop") return mixPair(userHash, cell)
    return names === "day" ? mixPair(userHash, dayOf(time)) : userHash
  }
}
