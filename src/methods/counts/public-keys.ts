import { QueryveilError } from "../../kernels/error.ts"
import { laplaceUpperTail } from "../../kernels/noise/laplace-distribution.ts"
import { createLaplaceTail } from "../../kernels/noise/laplace-tail.ts"
import { approximate } from "../../kernels/noise/rational.ts"
import type { RandomSource } from "../../kernels/random.ts"
import type { Mechanism } from "./plan-mechanisms.ts"
import type { Noise } from "./select-keys.ts"

const mostKeys = 2 ** 32
/** Most rows that noise alone may add to a table. More would not fit into memory. */
const mostByNoise = 2 ** 24

/** Keys that are shown, by number, ascending, with their noisy counts. */
export interface DrawnKeys {
  keys: Float64Array
  values: Float64Array
}

/**
 * Adds noise to every one of `size` public keys and shows those that reach the threshold. The keys in `held` have a
 * count; the others have none. Keys without a count are many and identically distributed. So it is drawn which of them
 * reach the threshold, and how far above it they are. A hit on a key with a count is skipped, since that key gets noise
 * of its own.
 */
export function drawPublicKeys(
  { size, held }: { size: number; held: ReadonlyMap<number, number> },
  { mechanism, noise }: { mechanism: Mechanism; noise: Noise },
  random: RandomSource,
): DrawnKeys {
  const threshold = mechanism.threshold ?? 1
  // Both numbers are public: the size of the table follows from public lists and from what was released.
  if (size > mostKeys || size * laplaceUpperTail(threshold, approximate(mechanism.scale)) > mostByNoise)
    throw new QueryveilError(
      "usage",
      [
        `There are ${size} public keys of ${mechanism.table}, too many for a threshold of ${threshold}:`,
        "noise alone would fill the table.",
        "Raise --threshold, shorten the list, or leave the table out with --split.",
      ].join(" "),
      { flag: "--threshold" },
    )
  const shown: [key: number, value: number][] = []
  for (const [key, count] of held) {
    const noisy = count + noise.draw()
    if (noisy >= threshold) shown.push([key, noisy])
  }
  const tail = createLaplaceTail({ scale: mechanism.scale, threshold }, random)
  tail.visit(size, (key) => {
    if (!held.has(key)) shown.push([key, tail.draw()])
  })
  shown.sort(([a], [b]) => a - b)
  return { keys: Float64Array.from(shown, ([key]) => key), values: Float64Array.from(shown, ([, value]) => value) }
}
