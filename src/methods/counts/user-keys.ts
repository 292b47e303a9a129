import { mixHash, randomHashSeed } from "../../kernels/dictionary.ts"
import type { RandomSource } from "../../kernels/random.ts"

/** How one user's keys are bounded. */
export interface KeyBound {
  /** Most distinct keys. */
  most: number
  /** Most that one key counts. */
  perKey: number
  /** Which keys are kept if there are too many: the first of the history, or random ones. */
  choose: "first" | "random"
}

/**
 * The distinct keys (a, b) of one user, and how often each occurred, bounded. The result depends on that user's history
 * alone. One table is reused for all users. It stays in the cache because no user's table is large.
 */
export class UserKeys {
  readonly #bound: KeyBound
  #size = 0
  #a = new Int32Array(64)
  #b = new Int32Array(64)
  #times = new Uint32Array(64)
  /** By slot: number of the key + 1. It is valid only if the slot's round is the current one. */
  #slots = new Int32Array(128)
  #rounds = new Uint32Array(128)
  #round = 1
  readonly #seed = randomHashSeed()

  constructor(bound: KeyBound) {
    this.#bound = bound
  }

  /** Counts one occurrence of a key. With `first`, a new key is ignored once there are enough. */
  add(a: number, b: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#hash(a, b) & mask
    while (this.#rounds[slot] === this.#round) {
      const key = this.#slots[slot] - 1
      if (this.#a[key] === a && this.#b[key] === b) {
        if (this.#times[key] < this.#bound.perKey) this.#times[key]++
        return
      }
      slot = (slot + 1) & mask
    }
    if (this.#size === this.#bound.most && this.#bound.choose === "first") return
    const key = this.#size++
    this.#rounds[slot] = this.#round
    this.#slots[slot] = key + 1
    this.#a[key] = a
    this.#b[key] = b
    this.#times[key] = 1
    if (this.#size === this.#a.length) this.#grow()
  }

  /** Calls `count` with each kept key and how often it counts, then clears the user. */
  close(count: (a: number, b: number, times: number) => void, random: RandomSource): void {
    const kept = Math.min(this.#size, this.#bound.most)
    for (let i = 0; i < kept; i++) {
      if (kept < this.#size) this.#swap(i, i + random.below(this.#size - i)) // only under `random` are there more
      count(this.#a[i], this.#b[i], this.#times[i])
    }
    this.#size = 0
    this.#round++
    if (this.#round > 0xffff_fff0) {
      this.#round = 1
      this.#rounds.fill(0)
    }
  }

  #hash(a: number, b: number): number {
    return mixHash(Math.imul(a ^ this.#seed, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77))
  }

  #swap(i: number, j: number): void {
    for (const column of [this.#a, this.#b, this.#times]) {
      const held = column[i]
      column[i] = column[j]
      column[j] = held
    }
  }

  #grow(): void {
    const room = this.#a.length * 2
    this.#a = enlarge(this.#a, new Int32Array(room))
    this.#b = enlarge(this.#b, new Int32Array(room))
    this.#times = enlarge(this.#times, new Uint32Array(room))
    this.#slots = new Int32Array(room * 2)
    this.#rounds = new Uint32Array(room * 2)
    const mask = room * 2 - 1
    for (let key = 0; key < this.#size; key++) {
      let slot = this.#hash(this.#a[key], this.#b[key]) & mask
      while (this.#rounds[slot] === this.#round) slot = (slot + 1) & mask
      this.#rounds[slot] = this.#round
      this.#slots[slot] = key + 1
    }
  }
}

function enlarge<A extends Int32Array | Uint32Array>(old: A, room: A): A {
  room.set(old)
  return room
}
