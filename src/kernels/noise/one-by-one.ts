import type { Fill } from "./inversion.ts"

/** Single draws from a sampler that fills arrays, a few hundred ahead. */
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
