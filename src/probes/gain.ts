import type { Score } from "./score.ts"

/** How much better than a guess an attack is: 0 is no better, 1 is always right. */
export interface Gain {
  value: number
  /** The ends of the 95 % interval. A score without an interval was counted exactly, and both ends are its value. */
  low: number
  high: number
  /** What a guess scores. */
  chance: number
  /** True if the whole interval is above chance. */
  isAbove: boolean
}

/** Smaller differences are rounding errors. */
const rounding = 1e-12

/**
 * The gain of an attack that succeeds with share v, when a guess succeeds with share b, is (v − b)/(1 − b) of what
 * could be gained. A negative gain counts as 0. The interval is mapped in the same way. b is the score's `chance`, else
 * its baseline, else 0. A score that is not a share has gain 1 if it is above b.
 *
 * Undefined if there is nothing to judge: for a score where higher is better, for `chance: null`, if nothing was tried,
 * and if a guess always succeeds.
 */
export function gainOf({ value, interval, n, baseline, chance = baseline ?? 0, better }: Score): Gain | undefined {
  if (better === "higher" || chance === null || n === 0 || !Number.isFinite(value)) return undefined
  const [lowest, highest] = interval ?? [value, value]
  const isShare = value <= 1 && chance <= 1 && chance >= 0
  if (isShare && chance === 1) return undefined
  const gain = (share: number) => {
    if (!isShare) return share > chance ? 1 : 0
    return Math.min(1, Math.max(0, (share - chance) / (1 - chance)))
  }
  return {
    value: gain(value),
    low: gain(lowest),
    high: gain(highest),
    chance,
    isAbove: lowest > chance + rounding,
  }
}
