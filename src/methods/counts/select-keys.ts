import type { RandomSource } from "../../kernels/random.ts"
import type { Mechanism } from "./plan-mechanisms.ts"

/** Draws the noise of one mechanism. */
export interface Noise {
  /** One draw. */
  draw(): number
}

/** Keys that are shown, as indices into the counted keys, with their noisy counts. */
export interface Shown {
  places: Int32Array
  values: Float64Array
}

/**
 * Adds noise to every count whose key has enough users, and shows those that reach the threshold. The value that
 * decides is the value that is shown. A key marked in `isPublic` needs no users, because examining it reveals nothing
 * about the log.
 */
export function selectKeys(
  counts: { users: ArrayLike<number>; total: ArrayLike<number>; size: number },
  mechanism: Mechanism,
  { noise, isPublic }: { noise: Noise; isPublic?: Uint8Array },
): Shown {
  const { minUsers, threshold = Number.NEGATIVE_INFINITY } = mechanism
  const places: number[] = []
  const values: number[] = []
  for (let place = 0; place < counts.size; place++) {
    if (counts.users[place] < Math.max(1, minUsers) && isPublic?.[place] !== 1) continue
    const noisy = counts.total[place] + noise.draw()
    if (noisy < threshold) continue
    places.push(place)
    values.push(noisy)
  }
  return { places: Int32Array.from(places), values: Float64Array.from(values) }
}

/** Noise within [−most, most]. Values outside are drawn again. */
export function truncated(noise: Noise, most: number): Noise {
  return {
    draw: () => {
      for (;;) {
        const drawn = noise.draw()
        if (Math.abs(drawn) <= most) return drawn
      }
    },
  }
}

/** Creates the noise that a mechanism adds. */
export type CreateNoise = (mechanism: Mechanism, random: RandomSource) => Noise
