import type { RandomSource } from "../random.ts"
import { UserSlots } from "./user-slots.ts"

/** The users that an attacker has seen in a category and not yet given back: a multiset. */
export interface UserPool {
  /** How many different users are in it. */
  readonly distinct: number
  add(user: number): void
  /** Names a user of the pool other than the one shown, and takes one appearance of him out. Needs two distinct users. */
  take(shown: number): number
  clear(): void
}

interface PoolOptions {
  users: number
  /** The most distinct users that are ever in it together. */
  slots: number
  random: RandomSource
}

/** The number of leaves of a complete binary tree over the slots; node i has the children 2i and 2i + 1. */
function leavesFor({ slots }: PoolOptions): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, slots)))
}

/**
 * Names uniformly among the appearances that are not those of the user shown: one draw and O(log k), however much of the
 * pool one user holds. Appearances are numbered in the order of the slots; the draw is a number among them.
 */
export class RandomPool implements UserPool {
  readonly #slots: UserSlots
  /** In each node the appearances below it. */
  readonly #tree: Int32Array
  readonly #leaves: number
  readonly #random: RandomSource

  constructor(options: PoolOptions) {
    this.#slots = new UserSlots(options)
    this.#leaves = leavesFor(options)
    this.#tree = new Int32Array(this.#leaves * 2)
    this.#random = options.random
  }

  get distinct(): number {
    return this.#slots.distinct
  }

  add(user: number): void {
    this.#change(this.#slots.enter(user), 1)
  }

  take(shown: number): number {
    const tree = this.#tree
    const own = this.#slots.find(shown)
    const excluded = own < 0 ? 0 : this.#slots.arity[own]
    let at = this.#random.below(tree[1] - excluded)
    if (excluded > 0 && at >= this.#before(own)) at += excluded
    let node = 1
    while (node < this.#leaves) {
      node *= 2
      if (at >= tree[node]) at -= tree[node++]
    }
    const slot = node - this.#leaves
    const user = this.#slots.user[slot]
    this.#change(slot, -1)
    this.#slots.leave(slot)
    return user
  }

  clear(): void {
    this.#slots.clear((slot) => this.#change(slot, -this.#slots.arity[slot]))
  }

  #change(slot: number, by: number): void {
    for (let node = this.#leaves + slot; node > 0; node >>= 1) this.#tree[node] += by
  }

  /** The appearances in the slots before this one. */
  #before(slot: number): number {
    let sum = 0
    for (let node = this.#leaves + slot; node > 1; node >>= 1) if ((node & 1) === 1) sum += this.#tree[node - 1]
    return sum
  }
}

/**
 * Names the user of the largest weight: how often he is in the pool, times how often he was ever added where the pool
 * keeps a `profile`. Ties at random: a fraction below 1, drawn anew whenever a user's weight changes, is added to it.
 * A tournament in O(log k): the best other than one user is the best of the subtrees beside his way to the root.
 */
export class HeaviestPool implements UserPool {
  readonly #slots: UserSlots
  readonly #tree: Float64Array
  readonly #leaves: number
  readonly #random: RandomSource
  /** How often each user was ever added, and who was; of no length without a profile. */
  readonly #history: Int32Array
  readonly #known: number[] = []

  constructor(options: PoolOptions & { profile: boolean }) {
    this.#slots = new UserSlots(options)
    this.#leaves = leavesFor(options)
    this.#tree = new Float64Array(this.#leaves * 2)
    this.#random = options.random
    this.#history = new Int32Array(options.profile ? options.users : 0)
  }

  get distinct(): number {
    return this.#slots.distinct
  }

  add(user: number): void {
    if (this.#history.length > 0 && ++this.#history[user] === 1) this.#known.push(user)
    this.#weigh(this.#slots.enter(user))
  }

  take(shown: number): number {
    const slot = this.#bestBut(this.#slots.find(shown))
    const user = this.#slots.user[slot]
    this.#slots.leave(slot)
    this.#weigh(slot)
    return user
  }

  clear(): void {
    this.#slots.clear((slot) => this.#set(slot, 0))
    for (const user of this.#known) this.#history[user] = 0
    this.#known.length = 0
  }

  #weigh(slot: number): void {
    const arity = this.#slots.arity[slot]
    const times = this.#history.length === 0 ? 1 : this.#history[this.#slots.user[slot]]
    this.#set(slot, arity === 0 ? 0 : arity * times + this.#random.uint32() * 2 ** -32)
  }

  #set(slot: number, weight: number): void {
    const tree = this.#tree
    let node = this.#leaves + slot
    tree[node] = weight
    for (node >>= 1; node > 0; node >>= 1) {
      const best = Math.max(tree[2 * node], tree[2 * node + 1])
      if (tree[node] === best) return
      tree[node] = best
    }
  }

  #bestBut(slot: number): number {
    const tree = this.#tree
    let best = 1
    if (slot >= 0) {
      best = (this.#leaves + slot) ^ 1
      for (let node = (this.#leaves + slot) >> 1; node > 1; node >>= 1) if (tree[node ^ 1] > tree[best]) best = node ^ 1
    }
    while (best < this.#leaves) best = 2 * best + (tree[2 * best] >= tree[2 * best + 1] ? 0 : 1)
    return best - this.#leaves
  }
}
