/** Remembers which texts were seen, by 64-bit hashes, in a table of fixed size. */
export interface SeenTexts {
  /** True the first time. When the table is full, later texts are not remembered and count as new each time. */
  isNew(low: number, high: number): boolean
}

const largest = 24

/** Has room for at most three quarters of 2²⁴ texts (128 MB), and for fewer if fewer are expected. */
export function createSeenTexts(expected: number): SeenTexts {
  const bits = Math.min(largest, Math.max(10, Math.ceil(Math.log2(expected)) + 1))
  const mask = 2 ** bits - 1
  const room = 2 ** bits * 0.75
  const table = new Uint32Array(2 ** bits * 2)
  let size = 0
  return {
    isNew(low, high) {
      const tag = high | 1 // 0 marks an empty slot
      let slot = low & mask
      for (; table[slot * 2 + 1] !== 0; slot = (slot + 1) & mask)
        if (table[slot * 2] === low && table[slot * 2 + 1] === tag >>> 0) return false
      if (size < room) {
        table[slot * 2] = low
        table[slot * 2 + 1] = tag
        size++
      }
      return true
    },
  }
}
