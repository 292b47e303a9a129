/**
 * The largest chances π(0), π(1), … with which a key of n users can be shown under (ε, δ) for one key. No mechanism
 * shows it more often. π(n) = min(e^ε·π(n − 1) + δ, 1 − e^(−ε)(1 − π(n − 1) − δ), 1). Desfontaines et al. 2022, theorem
 * 1.
 */
export function optimalSelection({ epsilon, delta }: { epsilon: number; delta: number }, most: number): Float64Array {
  const chances = new Float64Array(most + 1)
  for (let n = 1; n <= most; n++) {
    const last = chances[n - 1]
    chances[n] = Math.min(Math.exp(epsilon) * last + delta, 1 - Math.exp(-epsilon) * (1 - last - delta), 1)
  }
  return chances
}
