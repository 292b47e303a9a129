import { lateRecords, muchLater } from "./arrival-order.ts"

/** Warns about problems of the arriving records, each problem once per run. */
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

  /** Call after recovery: this run does not report records that an earlier run accepted. */
  begin(): void {
    this.#lateBefore = lateRecords(this.#totals).records
  }

  /** Checks the totals after a batch. */
  look(): void {
    const { records, seconds } = lateRecords(this.#totals)
    if (!this.#saidLate && records !== this.#lateBefore && seconds >= muchLater) {
      this.#saidLate = true
      this.#warn(
        [
          `Searches arrive out of order, by ${Math.floor(seconds / 3600)} hours or more.`,
          "A cell shows the latest time of its searches, which may be long after most of them.",
          "Send searches in the order of their times, or give a whole file as --input, which is sorted.",
        ].join(" "),
      )
    }
    // A log that was classified with another taxonomy would be withheld completely.
    if (!this.#saidUnknown && this.#totals["withheld unknown category"] !== undefined) {
      this.#saidUnknown = true
      this.#warn(
        [
          "Some searches are withheld, because their category is not in the taxonomy.",
          "Give the --taxonomy that they were classified with, or --columns category=none to classify them here.",
        ].join(" "),
      )
    }
  }
}
