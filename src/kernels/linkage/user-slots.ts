/**
 * The distinct users of a pool, and how often each is in it. A user has a slot while they are in the pool. Slot numbers
 * stay below the largest number of distinct users that were in the pool together, so trees over slots are as small as
 * k. A new user takes the slot that became free last, or a fresh one if none is free.
 */
export class UserSlots {
  readonly user: Int32Array
  readonly arity: Int32Array
  distinct = 0
  readonly #slotOf: Int32Array
  readonly #free: number[] = []
  #fresh = 0

  constructor(options: { users: number; slots: number }) {
    this.user = new Int32Array(options.slots)
    this.arity = new Int32Array(options.slots)
    this.#slotOf = new Int32Array(options.users).fill(-1)
  }

  /** The user's slot, or -1 if they are not in the pool. */
  find(user: number): number {
    return this.#slotOf[user]
  }

  /** Adds one appearance of the user and returns their slot. */
  enter(user: number): number {
    let slot = this.#slotOf[user]
    if (slot < 0) {
      slot = this.#free.pop() ?? this.#fresh++
      this.#slotOf[user] = slot
      this.user[slot] = user
      this.distinct++
    }
    this.arity[slot]++
    return slot
  }

  /** Removes one appearance. */
  leave(slot: number): void {
    if (--this.arity[slot] > 0) return
    this.#slotOf[this.user[slot]] = -1
    this.#free.push(slot)
    this.distinct--
  }

  /** Empties the pool. Calls `left` with each slot in use before it is freed. */
  clear(left: (slot: number) => void): void {
    for (let slot = 0; slot < this.#fresh; slot++) {
      if (this.arity[slot] === 0) continue
      left(slot)
      this.#slotOf[this.user[slot]] = -1
      this.arity[slot] = 0
    }
    this.#free.length = 0
    this.#fresh = 0
    this.distinct = 0
  }
}
