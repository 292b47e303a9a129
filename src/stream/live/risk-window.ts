import { ByteQueue } from "./byte-queue.ts"
import type { TextSpan } from "./live-records.ts"

/** Numbers of a released record, in this order: */
export const windowColumns = 7
export const shownAt = 0 // stands for the name shown,
export const truthAt = 1 // for the name of the user who issued it, at the same moment,
export const textAt = 2 // hash of the text,
export const categoryAt = 3
export const timeAt = 4 // the time shown,
export const cellAt = 5 // number of its cell; equal only for neighbours of one cell,
export const lengthAt = 6 // bytes of the text that are kept.

/** Bytes of a text that are kept: an attacker who reads words needs no more. */
const longestText = 512

/** The releases that a window holds, oldest first. */
export interface WindowReleases {
  /** `windowColumns` numbers each. */
  columns: Int32Array
  /** Their texts, one behind the other. */
  texts: Uint8Array
}

/**
 * The last releases, as numbers, in one ring: an `add` writes one cache line, and the text. Names and texts are known by 32-bit
 * hashes; among 50,000 releases fewer than one pair in a window is expected to meet by chance. A name is known as long as
 * it lasts: the same user has another number under their next name, as for one who reads the releases.
 */
export class RiskWindow {
  readonly size: number
  readonly #ring: Int32Array
  readonly #texts = new ByteQueue()
  #next = 0
  #held = 0
  #fresh = 0
  /** The cell of the record that was overwritten last; NaN where there is none. */
  #lost = Number.NaN

  constructor({ size = 50_000 }: { size?: number } = {}) {
    this.size = size
    this.#ring = new Int32Array(size * windowColumns)
  }

  /** Releases that are held now. */
  get held(): number {
    return this.#held
  }

  /** Releases since the last `take` or `clear`. */
  get fresh(): number {
    return this.#fresh
  }

  /**
   * Called for each release, in their order; the first six numbers of `windowColumns`, each cut to 32 bits, and the text
   * where its words are to be read. No allocation.
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

  /** Forgets all: after k or the depth changed, cells before and after are not of one kind. */
  clear(): void {
    this.#next = 0
    this.#held = 0
    this.#fresh = 0
    this.#lost = Number.NaN
    this.#texts.clear()
  }

  /**
   * A copy of the releases held, oldest first, without those of a cell whose beginning is lost. To be called between two
   * cells, never while one is added.
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
