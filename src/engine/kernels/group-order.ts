import { brokenInput } from "./kernel-input.ts"

/**
 * Checks that documents come sorted by group, as bytes of UTF-8, and by time. A group that came twice would be taken
 * for two: a user would count twice, and a category would be dealt in two halves.
 */
export class GroupOrder {
  readonly #kernel: string
  #group: string | undefined
  #time = 0

  constructor(kernel: string) {
    this.#kernel = kernel
  }

  check(group: string, time: number): void {
    const isWrong = group === this.#group ? time < this.#time : !this.#isNext(group)
    if (isWrong) throw brokenInput(this.#kernel)
    this.#group = group
    this.#time = time
  }

  #isNext(group: string): boolean {
    return this.#group === undefined || Buffer.compare(Buffer.from(this.#group), Buffer.from(group)) < 0
  }
}
