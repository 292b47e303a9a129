import { tie } from "../generalise.ts"

/**
 * The choices for one node and what lies below it, of which none is both less risky and worth more than another: by rising
 * risk and rising value, in bits. `picks` says for each relevant child which point of its front was taken, or -1: pruned.
 */
export interface Front {
  readonly risk: readonly number[]
  readonly value: readonly number[]
  /** Absent: there is one point, the whole subtree. */
  readonly picks?: readonly Int32Array[]
}

/** Points in any order, their picks worked out only if they stay. */
export interface Points {
  readonly risk: number[]
  readonly value: number[]
  picksOf(point: number): Int32Array
}

/** The points that no other dominates. A value that is higher by rounding only is not worth any risk. */
export function frontOf({ risk, value, picksOf }: Points): Required<Front> {
  const order = Array.from(risk, (_, point) => point).sort((a, b) => risk[a] - risk[b] || value[b] - value[a])
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

/** Which of rising values stay if there may be only so many: the first in each of equal intervals, and the last. */
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
