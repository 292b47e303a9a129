/**
 * The cell that an offered record closes, as the swapper reports it: first `gather` for each of its records, then the
 * releases.
 *
 * The cell shows the latest time of its records. If records arrive out of order, that may be later than the time of the
 * record that closes the cell. The paper's algorithm gathers nothing; then it is the time of the offered record.
 */
export class ClosingCell {
  /** The time that the cell shows. */
  time = 0
  /** The stream's number of the cell, unique in the store. */
  number = 0
  #offered = 0
  #isGathering = false
  /** The swapper's own number of the cell; -1 before the first cell. */
  #ofSwapper = -1

  /** A record with this time is offered. */
  begin(time: number): void {
    this.#offered = time
    this.time = time
  }

  /** A record with this time is about to leave with the cell. */
  gather(time: number): void {
    const latest = this.#isGathering ? this.time : this.#offered
    this.#isGathering = true
    this.time = Math.max(time, latest)
  }

  /** A record leaves with the cell that has this number in the swapper. True for the first record of a cell. */
  enter(ofSwapper: number): boolean {
    this.#isGathering = false
    if (ofSwapper === this.#ofSwapper) return false
    this.#ofSwapper = ofSwapper
    return true
  }

  /** Call when a new swapper starts, because it counts its cells from the beginning. */
  restart(): void {
    this.#ofSwapper = -1
  }
}
