import { randomBytes } from "node:crypto"
import { tokenCheck } from "./tokens.ts"

const lasts = 60_000

/**
 * A code that opens a page once, within a minute. A browser is started with its address as an argument, which every
 * user of the machine can see. So that address has a code, which is worthless once the page has used it. Somebody who
 * watches the machine can be faster than the browser. Then the browser gives the code again, and `onRepeated` is
 * called.
 */
export class OneTimeCode {
  readonly code = randomBytes(24).toString("base64url")
  readonly #knows = tokenCheck([this.code])
  readonly #until: number
  readonly #now: () => number
  #isUsed = false

  readonly #onRepeated: () => void

  constructor({ now, onRepeated }: { now: () => number; onRepeated: () => void }) {
    this.#now = now
    this.#onRepeated = onRepeated
    this.#until = now() + lasts
  }

  /** True the first time the code is given, if it is not too late. */
  take(given: string): boolean {
    if (this.#now() > this.#until || !this.#knows(`Bearer ${given}`)) return false
    if (this.#isUsed) {
      this.#onRepeated()
      return false
    }
    this.#isUsed = true
    return true
  }
}
