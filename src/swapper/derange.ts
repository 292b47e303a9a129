import type { RandomSource } from "../kernels/random.ts"

/**
 * A uniform random derangement of 0 … n − 1 in the first n places of `out`: a permutation that leaves nothing in its place.
 * Fisher–Yates, begun anew as soon as a place is settled with its own number; what is accepted is uniform among all
 * derangements because each permutation is equally likely before it is looked at. About e beginnings on average. n ≥ 2.
 */
export function drawDerangement(out: Int32Array, n: number, random: RandomSource): void {
  for (;;) {
    for (let i = 0; i < n; i++) out[i] = i
    let place = n - 1
    for (; place > 0; place--) {
      const other = random.below(place + 1)
      const held = out[other]
      out[other] = out[place]
      out[place] = held
      if (held === place) break
    }
    if (place === 0 && out[0] !== 0) return
  }
}
