import { growInt32 } from "./grow.ts"

const smallest = 2 // size of a bag's first block, as a power of two

/**
 * Many bags of numbers in one arena. Any number of a bag can be taken. A bag occupies a block whose size is a power of
 * two. A full bag moves to a block of twice the size and frees its block for others. Bags are numbered from 0 and start
 * empty.
 */
export class Bags {
  #arena = new Int32Array(64)
  #end = 0
  readonly #free = new Int32Array(32).fill(-1) // by power: the first free block, which holds the next
  #start = new Int32Array(64)
  #power = new Int8Array(64) // of the block; 0: none yet
  #size = new Int32Array(64)

  size(bag: number): number {
    return bag < this.#size.length ? this.#size[bag] : 0
  }

  at(bag: number, place: number): number {
    return this.#arena[this.#start[bag] + place]
  }

  put(bag: number, value: number): void {
    if (bag >= this.#size.length) this.#addBags(bag + 1)
    const size = this.#size[bag]
    if (size === 1 << this.#power[bag] || this.#power[bag] === 0) this.#enlarge(bag)
    this.#arena[this.#start[bag] + size] = value
    this.#size[bag] = size + 1
  }

  /** Takes the value at a place. The last value moves there. */
  take(bag: number, place: number): number {
    const start = this.#start[bag]
    const value = this.#arena[start + place]
    this.#arena[start + place] = this.#arena[start + --this.#size[bag]]
    return value
  }

  clear(bag: number): void {
    if (bag >= this.#size.length || this.#power[bag] === 0) return
    this.#release(this.#start[bag], this.#power[bag])
    this.#power[bag] = 0
    this.#size[bag] = 0
  }

  #enlarge(bag: number): void {
    const [from, before] = [this.#start[bag], this.#power[bag]]
    const power = before === 0 ? smallest : before + 1
    const to = this.#block(power)
    this.#arena.copyWithin(to, from, from + this.#size[bag])
    if (before > 0) this.#release(from, before)
    this.#start[bag] = to
    this.#power[bag] = power
  }

  #block(power: number): number {
    const free = this.#free[power]
    if (free >= 0) {
      this.#free[power] = this.#arena[free]
      return free
    }
    const start = this.#end
    this.#end += 1 << power
    if (this.#end > this.#arena.length) this.#arena = growInt32(this.#arena, this.#end)
    return start
  }

  #release(start: number, power: number): void {
    this.#arena[start] = this.#free[power]
    this.#free[power] = start
  }

  #addBags(least: number): void {
    this.#start = growInt32(this.#start, least)
    this.#size = growInt32(this.#size, least)
    const power = new Int8Array(this.#size.length)
    power.set(this.#power)
    this.#power = power
  }
}
