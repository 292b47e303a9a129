import type { RandomSource } from "../../kernels/random.ts"
import type { BoundedKey } from "./bound-batches.ts"
import { shippedParts } from "./parts.ts"
import type { Mechanism, Plan } from "./plan-mechanisms.ts"
import { type Noise, noisyCount } from "./select-keys.ts"

/**
 * Adds noise to the counts of a whole log, key by key, and shows those that reach their threshold: `selectKeys` for
 * counts that come as a stream. Two calls with one key draw two noises, so what this returns must be written down once,
 * and only that may be read.
 */
export function createNoisyCounts(plan: Plan, random: RandomSource): (key: BoundedKey) => number | undefined {
  const drawn = new Map<string, { mechanism: Mechanism; noise: Noise }>()
  for (const mechanism of plan.mechanisms)
    drawn.set(mechanism.table, { mechanism, noise: shippedParts.createNoise(mechanism, random) })
  return (key) => {
    const of = drawn.get(key.table)
    return of && noisyCount(key, of.mechanism, of.noise)
  }
}
