import { lateRecords, muchLater } from "./arrival-order.ts"

/** Says what is wrong with the records that come, each thing once a run. */
export class RecordWarnings {
  readonly #totals: Record<string, number>
  readonly #warn: (text: string) => void
  #lateBefore = 0
  #saidLate = false
  #saidUnknown = false

  constructor(totals: Record<string, number>, warn: (text: string) => void) {
    this.#totals = totals
    this.#warn = warn
  }

  /** After recovery: what an earlier run took is not this run's to report. */
  begin(): void {
    this.#lateBefore = lateRecords(this.#totals).records
  }

  /** Looks at the totals behind a batch. */
  look(): void {
    const { records, seconds } = lateRecords(this.#totals)
    if (!this.#saidLate && records !== this.#lateBefore && seconds >= muchLater) {
      this.#saidLate = true
      this.#warn(
        `Searches come out of the order of their times, by ${Math.floor(seconds / 3600)} hours and more. A cell shows the latest time of its searches, which may be long after most of them. Send searches in the order of their times, or give a whole file as --input: it is sorted.`,
      )
    }
    // A log that was classified with another taxonomy would be withheld whole.
    if (!this.#saidUnknown && this.#totals["withheld unknown category"] !== undefined) {
      this.#saidUnknown = true
      this.#warn(
        "Some searches have a category that the taxonomy does not have, and are withheld. Give the --taxonomy that they were classified with, or --columns category=none to classify them here.",
      )
    }
  }
}
