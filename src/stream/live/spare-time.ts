/** The share of the time that may be used, and how many milliseconds may be used in advance. */
const share = 0.25
const mostMilliseconds = 250

/**
 * Decides when the main thread reads a small block itself. A thread that has just started takes far longer to read its
 * first block, and as blocks are answered in order, all later ones wait too. So other threads take small blocks only if
 * this one would spend more than a quarter of its time on them.
 */
export class SpareTime {
  readonly #now: () => number
  /** Milliseconds that were used in advance. */
  #used = 0
  #at: number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#at = now()
  }

  /** True if there is time left. */
  isLeft(): boolean {
    const now = this.#now()
    this.#used = Math.max(0, this.#used - (now - this.#at) * share)
    this.#at = now
    return this.#used < mostMilliseconds
  }

  /** Runs an action and counts its time. */
  use<T>(action: () => T): T {
    const begun = this.#now()
    const result = action()
    this.#used += this.#now() - begun
    return result
  }
}
