import type { Quantiles, RunQuantiles } from "./stream-figures.ts"

/** Powers of two that are distinguished. Values below the first are 0; values above the last are in the last bucket. */
const lowest = -10
const highest = 40
/** A 32-bit float without its last 19 bits gives 16 buckets for each power of two. */
const dropped = 19
const perPower = 16
const first = (lowest + 127) * perPower
const buckets = (highest - lowest) * perPower + 1

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/**
 * Quantiles of the values of the last minutes. There are histograms of 16 buckets per power of two from 2⁻¹⁰ to 2⁴⁰,
 * one for each slice of time; the oldest is emptied when a new slice begins. Adding a value costs a few nanoseconds and
 * no memory.
 *
 * A quantile q is the ⌈q n⌉-th smallest of n values, given as the middle of its bucket. It is at most 1/32 off, and 0
 * for values below 2⁻¹⁰. Whole numbers are exact below 32.
 *
 * Time is in milliseconds by the caller's clock. If the clock goes backwards, the slice begins again from there, so no
 * slice lasts longer than twice its time. If the clock leaps ahead, values that are then too old are forgotten.
 */
export class RecentQuantiles {
  readonly #counts: Uint32Array
  readonly #slices: number
  readonly #sliceTime: number
  readonly #whole: boolean
  #slice = 0
  /** Counts of all values since the start. */
  readonly #all = new Float64Array(buckets)
  #sum = 0
  /** When the slice ends; NaN before the first value. */
  #end = Number.NaN

  constructor({
    minutes = 5,
    slices = 10,
    whole = false,
  }: { minutes?: number; slices?: number; whole?: boolean } = {}) {
    this.#counts = new Uint32Array(slices * buckets)
    this.#slices = slices
    this.#sliceTime = (minutes * 60_000) / slices
    this.#whole = whole
  }

  /** Adds a value. A negative value or NaN counts as 0. */
  add(value: number, now: number): void {
    if (!(now < this.#end && now >= this.#end - this.#sliceTime)) this.#turn(now)
    const bucket = bucketOf(value)
    this.#counts[this.#slice * buckets + bucket]++
    this.#all[bucket]++
    if (bucket > 0) this.#sum += value
  }

  /** Quantiles and mean of all values since the start; 0 if there are no values. */
  sinceStart(): RunQuantiles {
    const total = this.#all.reduce((sum, count) => sum + count, 0)
    return { mean: total === 0 ? 0 : this.#sum / total, ...this.#quantilesOf(this.#all, total) }
  }

  /** Quantiles of the last minutes; 0 if there are no values. */
  quantiles(now: number): Quantiles {
    if (!(now < this.#end && now >= this.#end - this.#sliceTime)) this.#turn(now)
    const sums = new Float64Array(buckets)
    let total = 0
    for (let i = 0; i < this.#counts.length; i++) {
      sums[i % buckets] += this.#counts[i]
      total += this.#counts[i]
    }
    return this.#quantilesOf(sums, total)
  }

  #quantilesOf(sums: Float64Array, total: number): Quantiles {
    const at = (q: number) => {
      let left = Math.ceil(q * total)
      for (let bucket = 0; left > 0; bucket++) {
        left -= sums[bucket]
        if (left <= 0) return this.#whole ? Math.floor(middleOf(bucket)) : middleOf(bucket)
      }
      return 0
    }
    return { p50: at(0.5), p99: at(0.99) }
  }

  #turn(now: number): void {
    const passed = Math.floor((now - this.#end) / this.#sliceTime) + 1
    if (!(passed > 0)) {
      // The first value, or the clock went backwards.
      this.#end = now + this.#sliceTime
      return
    }
    for (let i = 0; i < Math.min(passed, this.#slices); i++) {
      this.#slice = (this.#slice + 1) % this.#slices
      this.#counts.fill(0, this.#slice * buckets, (this.#slice + 1) * buckets)
    }
    this.#end += passed * this.#sliceTime
  }
}

function bucketOf(value: number): number {
  float[0] = value
  const bucket = (bits[0] >>> dropped) - first + 1
  // A negative number has the sign bit set, so its bucket is above all others; so is that of NaN.
  if (!(value > 0) || bucket < 1) return 0
  return bucket < buckets ? bucket : buckets - 1
}

function middleOf(bucket: number): number {
  if (bucket === 0) return 0
  const [low, high] = [edgeOf(bucket), edgeOf(bucket + 1)]
  return (low + high) / 2
}

function edgeOf(bucket: number): number {
  bits[0] = (first + bucket - 1) << dropped
  return float[0]
}
