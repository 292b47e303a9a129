/** Numbers of a released record, in this order: */
export const windowColumns = 6
export const shownAt = 0 // hash of the user shown,
export const truthAt = 1 // hash of the user who issued it, by the same function,
export const textAt = 2 // hash of the text,
export const categoryAt = 3
export const timeAt = 4 // the time shown,
export const cellAt = 5 // number of its cell; equal only for neighbours of one cell.

/**
 * The last releases, as numbers, in one ring: an `add` writes one cache line. Users and texts are known by 32-bit hashes;
 * among 50,000 releases fewer than one pair in a window is expected to meet by chance.
 */
export class RiskWindow {
  readonly size: number
  readonly #ring: Int32Array
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

  /** Called for each release, in their order; the six numbers of `windowColumns`, each cut to 32 bits. No allocation. */
  add(shown: number, truth: number, text: number, category: number, time: number, cell: number): void {
    const ring = this.#ring
    const at = this.#next
    if (this.#held * windowColumns === ring.length) this.#lost = ring[at + cellAt]
    else this.#held++
    ring[at + shownAt] = shown
    ring[at + truthAt] = truth
    ring[at + textAt] = text
    ring[at + categoryAt] = category
    ring[at + timeAt] = time
    ring[at + cellAt] = cell
    this.#fresh++
    this.#next = at + windowColumns === ring.length ? 0 : at + windowColumns
  }

  /** Forgets all: after k or the depth changed, cells before and after are not of one kind. */
  clear(): void {
    this.#next = 0
    this.#held = 0
    this.#fresh = 0
    this.#lost = Number.NaN
  }

  /**
   * A copy of the releases held, oldest first, without those of a cell whose beginning is lost. To be called between two
   * cells, never while one is added.
   */
  take(): Int32Array {
    this.#fresh = 0
    const ring = this.#ring
    const full = this.#held * windowColumns === ring.length
    const oldest = full ? this.#next : 0
    const copy = new Int32Array(this.#held * windowColumns)
    copy.set(ring.subarray(oldest, full ? ring.length : copy.length))
    if (full) copy.set(ring.subarray(0, oldest), ring.length - oldest)
    let start = 0
    while (start < copy.length && copy[start + cellAt] === this.#lost) start += windowColumns
    return start === 0 ? copy : copy.slice(start)
  }
}
