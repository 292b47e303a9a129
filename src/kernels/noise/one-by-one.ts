import type { Fill } from "./inversion.ts"

/** Makes single draws from a sampler that fills arrays. It draws 256 values ahead. */
export function drawOneByOne(fill: Fill<Float64Array>): () => number {
  const ahead = new Float64Array(256)
  let at = ahead.length
  return () => {
    if (at === ahead.length) {
      fill(ahead)
      at = 0
    }
    return ahead[at++]
  }
}
