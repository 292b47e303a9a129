/** A queue of bytes in a ring buffer that grows; the oldest bytes leave first. */
export class ByteQueue {
  #ring = new Uint8Array(1 << 12)
  #first = 0
  #length = 0

  push(bytes: Uint8Array, start: number, end: number): void {
    if (this.#length + end - start > this.#ring.length) this.#grow(this.#length + end - start)
    const ring = this.#ring
    let at = (this.#first + this.#length) & (ring.length - 1)
    for (let i = start; i < end; i++) {
      ring[at] = bytes[i]
      at = (at + 1) & (ring.length - 1)
    }
    this.#length += end - start
  }

  /** Forgets the oldest `count` bytes. */
  drop(count: number): void {
    this.#first = (this.#first + count) & (this.#ring.length - 1)
    this.#length -= count
  }

  clear(): void {
    this.drop(this.#length)
  }

  /** A copy without the oldest `skip` bytes. */
  copy(skip = 0): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(this.#length - skip)
    const from = (this.#first + skip) & (this.#ring.length - 1)
    const head = this.#ring.subarray(from, Math.min(this.#ring.length, from + copy.length))
    copy.set(head)
    copy.set(this.#ring.subarray(0, copy.length - head.length), head.length)
    return copy
  }

  #grow(least: number): void {
    const larger = new Uint8Array(2 ** Math.ceil(Math.log2(least)))
    larger.set(this.copy())
    this.#ring = larger
    this.#first = 0
  }
}
