import type { RandomSource } from "../kernels/random.ts"

/**
 * Writes a uniform random derangement of 0 … n − 1 to the first n places of `out`: a permutation that leaves nothing in
 * its place. Fisher–Yates, restarted as soon as a place gets its own number. The result is uniform among all
 * derangements, because every permutation is equally likely before the check. About e starts on average. n ≥ 2.
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
