import type { RandomSource } from "../kernels/random.ts"
import { chiSquareTest } from "../kernels/statistics/chi-square.ts"

/**
 * The noise that a released count would have: an integer of at least `from`, because otherwise it would not be shown.
 */
export interface NoiseSample {
  value: number
  from: number
  scale: number
  /** If the noise was truncated: it is within [−most, most]. */
  most: number | undefined
}

/** A sound release fails the test with this chance: once in a million times. */
export const falseAlarm = 1e-6
/** Fewer samples are not enough for a test. */
export const fewestSamples = 80

/**
 * How well samples fit the stated noise: the p-value of a χ² test. For each sample, take the chance of more noise than
 * its own, given that it was shown, plus a random part of the chance of the same noise. If the noise is as stated, this
 * number is uniform in [0, 1], whatever the scale and the threshold. So samples of all tables are tested together.
 */
export function fitNoise(samples: readonly NoiseSample[], random: RandomSource): number {
  const bins = Math.min(20, Math.max(5, Math.floor(samples.length / 20)))
  const observed = new Float64Array(bins)
  for (const sample of samples) {
    const place = chanceOfMore(sample) + (random.uint32() / 2 ** 32) * chanceOfSame(sample)
    observed[Math.min(bins - 1, Math.max(0, Math.floor(place * bins)))]++
  }
  return chiSquareTest(observed).p
}

function chanceOfMore({ value, from, scale, most }: NoiseSample): number {
  return given(value + 1, { from, scale, most })
}

function chanceOfSame({ value, from, scale, most }: NoiseSample): number {
  return given(value, { from, scale, most }) - given(value + 1, { from, scale, most })
}

/** P(X ≥ x | X ≥ from). */
function given(x: number, { from, scale, most }: Omit<NoiseSample, "value">): number {
  if (x <= from) return 1
  if (most === undefined && from >= 1) return Math.exp(-(x - from) / scale)
  const beyond = most === undefined ? 0 : tail(most + 1, scale)
  const least = most === undefined ? from : Math.max(from, -most)
  if (most !== undefined && x > most) return 0
  return Math.min(1, (tail(x, scale) - beyond) / (tail(least, scale) - beyond))
}

/** P(X ≥ x) of discrete Laplace noise. */
function tail(x: number, scale: number): number {
  const a = Math.exp(-1 / scale)
  return x >= 1 ? Math.exp(-x / scale) / (1 + a) : 1 - Math.exp(-(1 - x) / scale) / (1 + a)
}
