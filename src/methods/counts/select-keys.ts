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
  const places: number[] = []
  const values: number[] = []
  for (let place = 0; place < counts.size; place++) {
    const count = { users: counts.users[place], total: counts.total[place], isPublic: isPublic?.[place] === 1 }
    const noisy = noisyCount(count, mechanism, noise)
    if (noisy === undefined) continue
    places.push(place)
    values.push(noisy)
  }
  return { places: Int32Array.from(places), values: Float64Array.from(values) }
}

/** The noisy count of a key, if it is shown. No noise is drawn for a key with too few users. */
export function noisyCount(
  { users, total, isPublic = false }: { users: number; total: number; isPublic?: boolean },
  { minUsers, threshold = Number.NEGATIVE_INFINITY }: Pick<Mechanism, "minUsers" | "threshold">,
  noise: Noise,
): number | undefined {
  if (users < Math.max(1, minUsers) && !isPublic) return undefined
  const noisy = total + noise.draw()
  return noisy < threshold ? undefined : noisy
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
