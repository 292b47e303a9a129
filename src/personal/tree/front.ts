import { tie } from "../generalise.ts"

/**
 * The choices for one node and its subtree of which none is both less risky and worth more than another. Risk and value
 * (in bits) rise together. `picks` says for each relevant child which point of its front was taken; -1 means pruned.
 */
export interface Front {
  readonly risk: readonly number[]
  readonly value: readonly number[]
  /** Absent if there is one point, the whole subtree. */
  readonly picks?: readonly Int32Array[]
}

/** Points in any order. Their picks are computed only if they stay. */
export interface Points {
  readonly risk: ArrayLike<number>
  readonly value: ArrayLike<number>
  picksOf(point: number): Int32Array
}

/** The points that no other dominates. A value that is higher only by rounding is not worth any risk. */
export function frontOf({ risk, value, picksOf }: Points): Required<Front> {
  const order = contenders(risk, value).sort((a, b) => risk[a] - risk[b] || value[b] - value[a])
  const kept: number[] = []
  let highest = Number.NEGATIVE_INFINITY
  for (const point of order) {
    if (value[point] <= highest + tie) continue
    kept.push(point)
    highest = value[point]
  }
  return {
    risk: kept.map((point) => risk[point]),
    value: kept.map((point) => value[point]),
    picks: kept.map((point) => picksOf(point)),
  }
}

const intervals = 64

/** Drops most dominated points without sorting: those worth no more than some point in an interval of less risk. */
function contenders(risk: ArrayLike<number>, value: ArrayLike<number>): number[] {
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (let i = 0; i < risk.length; i++) {
    lowest = Math.min(lowest, risk[i])
    highest = Math.max(highest, risk[i])
  }
  const scale = highest > lowest ? (intervals - 1) / (highest - lowest) : 0
  const best = new Float64Array(intervals + 1).fill(Number.NEGATIVE_INFINITY)
  const intervalOf = (point: number) => Math.floor((risk[point] - lowest) * scale)
  for (let i = 0; i < risk.length; i++) {
    const own = intervalOf(i) + 1
    if (value[i] > best[own]) best[own] = value[i]
  }
  for (let i = 1; i <= intervals; i++) if (best[i] < best[i - 1]) best[i] = best[i - 1]
  const found: number[] = []
  for (let i = 0; i < risk.length; i++) if (value[i] > best[intervalOf(i)]) found.push(i)
  return found
}

/** Chooses at most `most` of rising values: the first in each of several equal intervals, and the last. */
export function thinOut(value: ArrayLike<number>, size: number, most: number): { stay: number[]; width: number } {
  if (size <= most) return { stay: Array.from({ length: size }, (_, i) => i), width: 0 }
  const lowest = value[0]
  const width = (value[size - 1] - lowest) / (most - 1)
  const stay = [0]
  let interval = 0
  for (let i = 1; i < size; i++) {
    const own = Math.floor((value[i] - lowest) / width)
    if (own > interval || i === size - 1) stay.push(i)
    interval = own
  }
  return { stay, width }
}
