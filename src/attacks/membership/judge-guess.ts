import { newcombeInterval } from "../../kernels/statistics/newcombe-interval.ts"

/** The readings of all targets, in random order. A higher reading suggests that the target was in the log. */
export interface Reading {
  inside: Float64Array
  outside: Float64Array
}

interface Advantage {
  value: number
  interval: [number, number]
  n: number
}

/**
 * The advantage of an adversary who says "in the log" for every target whose reading is above a cut: true positive rate
 * minus false positive rate, with Newcombe's interval.
 */
export function judgeCut({ inside, outside }: Reading, cut: number): Advantage {
  const count = (scores: Float64Array) => {
    return { successes: scores.reduce((sum, score) => sum + (score > cut ? 1 : 0), 0), n: scores.length }
  }
  const [right, wrong] = [count(inside), count(outside)]
  const share = ({ successes, n }: typeof right) => (n === 0 ? 0 : successes / n)
  return {
    value: share(right) - share(wrong),
    interval: newcombeInterval(right, wrong),
    n: right.n + wrong.n,
  }
}

/**
 * `judgeCut` with the reading and cut chosen on the first half of the targets and judged on the second. Choosing
 * therefore needs no correction.
 */
export function judgeBest(readings: readonly Reading[]): Advantage {
  const chosen = readings
    .map((reading) => ({ reading, ...chooseCut(halfOf(reading, 0)) }))
    .reduce((best, next) => (next.advantage > best.advantage ? next : best))
  return judgeCut(halfOf(chosen.reading, 1), chosen.cut)
}

function halfOf({ inside, outside }: Reading, half: 0 | 1): Reading {
  const part = (scores: Float64Array) => {
    const middle = Math.floor(scores.length / 2)
    return half === 0 ? scores.subarray(0, middle) : scores.subarray(middle)
  }
  return { inside: part(inside), outside: part(outside) }
}

/**
 * The cut with the largest advantage. If no cut has one, the cut is infinite, and everyone is taken for a non-member.
 */
function chooseCut({ inside, outside }: Reading): { cut: number; advantage: number } {
  const scores = [
    ...Array.from(inside, (score) => ({ score, step: 1 / inside.length })),
    ...Array.from(outside, (score) => ({ score, step: -1 / outside.length })),
  ].sort((x, y) => y.score - x.score)
  let best = { cut: Number.POSITIVE_INFINITY, advantage: 0 }
  let advantage = 0
  for (const [i, { score, step }] of scores.entries()) {
    advantage += step
    const next = scores[i + 1]?.score ?? Number.NEGATIVE_INFINITY
    if (next < score && advantage > best.advantage) best = { cut: next, advantage }
  }
  return best
}
