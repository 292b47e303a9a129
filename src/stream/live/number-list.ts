/** A list of numbers in the order in which they were added. */
export class NumberList {
  #numbers = new Float64Array(64)
  length = 0

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Float64Array(this.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = value
  }

  /** Returns the numbers and empties the list. The result is overwritten by the next numbers. */
  take(): Float64Array {
    const taken = this.#numbers.subarray(0, this.length)
    this.length = 0
    return taken
  }
}
