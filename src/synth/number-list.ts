/** A growing list of 32-bit words. */
export function createNumberList() {
  let items = new Uint32Array(256)
  let size = 0
  return {
    push(value: number): void {
      if (size === items.length) {
        const larger = new Uint32Array(size * 2)
        larger.set(items)
        items = larger
      }
      items[size++] = value
    },
    /** Returns the collected words in memory of their own, and empties the list. */
    take(): Uint32Array<ArrayBuffer> {
      const taken = items.slice(0, size)
      size = 0
      return taken
    },
  }
}
