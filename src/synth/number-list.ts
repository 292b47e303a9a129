/** 32-bit words, gathered one by one. */
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
    /** What was gathered, in memory of its own; the list starts anew. */
    take(): Uint32Array<ArrayBuffer> {
      const taken = items.slice(0, size)
      size = 0
      return taken
    },
  }
}
