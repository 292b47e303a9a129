import type { RandomSource } from "../random.ts"
import { UserSlots } from "./user-slots.ts"

/** A multiset: the users that an attacker has seen in a category and not yet given back. */
export interface UserPool {
  /** The number of distinct users in the pool. */
  readonly distinct: number
  add(user: number): void
  /**
   * Names a user of the pool other than the one shown, and removes one of their appearances. Needs two distinct users.
   */
  take(shown: number): number
  clear(): void
}

interface PoolOptions {
  users: number
  /** The largest number of distinct users that are ever in the pool together. */
  slots: number
  random: RandomSource
}

/** The number of leaves of a complete binary tree over the slots; node i has the children 2i and 2i + 1. */
function leavesFor({ slots }: PoolOptions): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, slots)))
}

/**
 * Names uniformly among the appearances of users other than the one shown. It takes one draw and O(log k), however much
 * of the pool one user holds. Appearances are numbered in the order of the slots, and the draw is one of these numbers.
 */
export class RandomPool implements UserPool {
  readonly #slots: UserSlots
  /** By node: the number of appearances below it. */
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

  /** The number of appearances in the slots before this one. */
  #before(slot: number): number {
    let sum = 0
    for (let node = this.#leaves + slot; node > 1; node >>= 1) if ((node & 1) === 1) sum += this.#tree[node - 1]
    return sum
  }
}

/**
 * Names the user with the largest weight. The weight is how often the user is in the pool. If the pool keeps a
 * `profile`, it is multiplied by how often the user was ever added. Ties are broken at random: a fraction below 1 is
 * added to the weight and drawn anew whenever the weight changes. A tournament tree finds the best in O(log k). The
 * best user other than a given one is the best of the subtrees next to that user's path to the root.
 */
export class HeaviestPool implements UserPool {
  readonly #slots: UserSlots
  readonly #tree: Float64Array
  readonly #leaves: number
  readonly #random: RandomSource
  /** How often each user was ever added (empty without a profile), and the users who were. */
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
