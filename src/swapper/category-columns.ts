import { growInt32 } from "./grow.ts"

/** The state that a swapper keeps for each category. */
export class CategoryColumns {
  /** The chain of its users' lists: the first and the last, or -1 if nobody waits. */
  firstList = new Int32Array(64).fill(-1)
  lastList = new Int32Array(64).fill(-1)
  /** The number of users who wait. */
  users = new Int32Array(64)
  /** The number of lists whose oldest unit has the same text as the oldest unit of another list. */
  doubles = new Int32Array(64)
  /** 1 if some unit could not claim its text. */
  isLoose = new Uint8Array(64)

  /** Makes room for a category. */
  admit(category: number): void {
    const known = this.users.length
    if (category < known) return
    this.firstList = growInt32(this.firstList, category + 1).fill(-1, known)
    this.lastList = growInt32(this.lastList, category + 1).fill(-1, known)
    this.users = growInt32(this.users, category + 1)
    this.doubles = growInt32(this.doubles, category + 1)
    const isLoose = new Uint8Array(this.users.length)
    isLoose.set(this.isLoose)
    this.isLoose = isLoose
  }
}
