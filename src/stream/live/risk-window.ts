import { ByteQueue } from "./byte-queue.ts"
import type { TextSpan } from "./live-records.ts"

/** How many numbers a released record has, in this order: */
export const windowColumns = 7
export const shownAt = 0 // number for the name shown,
export const truthAt = 1 // number for the name that the true user would have at the same moment,
export const textAt = 2 // hash of the text,
export const categoryAt = 3
export const timeAt = 4 // the time shown,
export const cellAt = 5 // number of its cell; equal only for neighbours in one cell,
export const lengthAt = 6 // bytes of the text that are kept.

/** Bytes of a text that are kept. An attacker who reads words needs no more. */
const longestText = 512

/** The releases in a window, oldest first. */
export interface WindowReleases {
  /** `windowColumns` numbers for each release. */
  columns: Int32Array
  /** Their texts, one after another. */
  texts: Uint8Array
}

/**
 * The last releases, as numbers, in one ring. An `add` writes one cache line and the text. Names and texts are known by
 * 32-bit hashes; among 50,000 releases fewer than one pair in a window is expected to collide by chance. A number stays
 * the same only as long as the name does: under their next name, the same user has another number, as they do for a
 * reader of the releases.
 */
export class RiskWindow {
  readonly size: number
  readonly #ring: Int32Array
  readonly #texts = new ByteQueue()
  #next = 0
  #held = 0
  #fresh = 0
  /** The cell of the record that was overwritten last; NaN if there is none. */
  #lost = Number.NaN

  constructor({ size = 50_000 }: { size?: number } = {}) {
    this.size = size
    this.#ring = new Int32Array(size * windowColumns)
  }

  /** Number of releases held now. */
  get held(): number {
    return this.#held
  }

  /** Number of releases since the last `take` or `clear`. */
  get fresh(): number {
    return this.#fresh
  }

  /**
   * Call for each release, in order. Takes the first six numbers of `windowColumns`, each cut to 32 bits, and the text
   * if its words are to be read. Allocates nothing.
   */
  add(shown: number, truth: number, text: number, category: number, time: number, cell: number, span?: TextSpan): void {
    if (this.size === 0) return
    const ring = this.#ring
    const at = this.#next
    if (this.#held === this.size) {
      this.#lost = ring[at + cellAt]
      this.#texts.drop(ring[at + lengthAt])
    } else this.#held++
    ring[at + shownAt] = shown
    ring[at + truthAt] = truth
    ring[at + textAt] = text
    ring[at + categoryAt] = category
    ring[at + timeAt] = time
    ring[at + cellAt] = cell
    ring[at + lengthAt] = span === undefined ? 0 : Math.min(longestText, span.end - span.start)
    if (span !== undefined) this.#texts.push(span.bytes, span.start, span.start + ring[at + lengthAt])
    this.#fresh++
    this.#next = at + windowColumns === ring.length ? 0 : at + windowColumns
  }

  /** Forgets all releases. After k or the depth changed, earlier and later cells are not comparable. */
  clear(): void {
    this.#next = 0
    this.#held = 0
    this.#fresh = 0
    this.#lost = Number.NaN
    this.#texts.clear()
  }

  /**
   * A copy of the releases held, oldest first, without those of a cell whose beginning is lost. Call it between two
   * cells, never while one is being added.
   */
  take(): WindowReleases {
    this.#fresh = 0
    const ring = this.#ring
    const full = this.#held === this.size
    const oldest = full ? this.#next : 0
    const copy = new Int32Array(this.#held * windowColumns)
    copy.set(ring.subarray(oldest, full ? ring.length : copy.length))
    if (full) copy.set(ring.subarray(0, oldest), ring.length - oldest)
    let start = 0
    let skipped = 0
    for (; start < copy.length && copy[start + cellAt] === this.#lost; start += windowColumns)
      skipped += copy[start + lengthAt]
    return { columns: start === 0 ? copy : copy.slice(start), texts: this.#texts.copy(skipped) }
  }
}
