import { upperGamma } from "./incomplete-gamma.ts"

/** The chance that a standard normal number exceeds z ≥ 0. */
export function normalTail(z: number): number {
  return 0.5 * upperGamma(0.5, (z * z) / 2)
}

/** The chance of at least `count` events under Poisson's law with this mean. */
export function poissonTail(count: number, mean: number): number {
  if (count <= 0) return 1
  return mean === 0 ? 0 : 1 - upperGamma(count, mean)
}
