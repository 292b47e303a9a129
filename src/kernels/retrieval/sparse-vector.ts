/**
 * A vector of positive numbers in a few of many places: dense values, and a list of the places in use for fast
 * clearing.
 */
export class SparseVector {
  readonly values: Float64Array
  readonly touched: Int32Array
  count = 0

  constructor(size: number) {
    this.values = new Float64Array(size)
    this.touched = new Int32Array(size)
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.values[this.touched[i]] = 0
    this.count = 0
  }

  /** Adding 0 does nothing. */
  add(place: number, value: number): void {
    if (value === 0) return
    if (this.values[place] === 0) this.touched[this.count++] = place
    this.values[place] += value
  }
}
