import type { Score } from "./score.ts"

/** How much better than a guess an attack did: 0 as a guess, 1 always right. */
export interface Gain {
  value: number
  /** Of the 95 % interval; a score without one was counted exactly, and both ends are its value. */
  low: number
  high: number
  /** What a guess scores. */
  chance: number
  /** True if the whole interval lies above chance. */
  isAbove: boolean
}

/** Differences that rounding leaves. */
const rounding = 1e-12

/**
 * An attack that succeeds with share v, where a guess does with share b, has gained (v − b)/(1 − b) of what there was to gain;
 * less than nothing counts as nothing. The interval is mapped alike. b is the score's `chance`, else its baseline, else 0. A
 * score that is no share counts in full if it is above b. Undefined where there is nothing to judge: a score for which higher is
 * better or that says `chance: null`, one of nothing tried, and one that a guess always reaches.
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
