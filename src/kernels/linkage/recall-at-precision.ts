import { orderByNumbers } from "../order-by-numbers.ts"

/** What an adversary reaches who names only those of whom he is at least so sure. */
export interface NamingPoint {
  confidence: number
  /** Share of all targets for whom somebody is named. */
  named: number
  /** Share of those who are named rightly. */
  precision: number
  /** Share of all targets that are named rightly. */
  recall: number
}

/** One billionth: what differs less is equally sure. */
const step = 1e9

/** One point for each confidence that a target has, falling; targets of one confidence are named together. */
export function namingCurve(confidence: Float64Array, right: Float64Array): NamingPoint[] {
  const sure = Uint32Array.from(confidence, (value) => Math.round(value * step))
  const order = orderByNumbers([sure]).reverse()
  const points: NamingPoint[] = []
  let sum = 0
  order.forEach((target, i) => {
    sum += right[target]
    if (i + 1 < order.length && sure[order[i + 1]] === sure[target]) return
    const named = i + 1
    points.push({
      confidence: sure[target] / step,
      named: named / order.length,
      precision: sum / named,
      recall: sum / order.length,
    })
  })
  return points
}

/** The most that is named rightly where at least this share of what is named is right, but for rounding. */
export function recallAtPrecision(curve: readonly NamingPoint[], precision: number): number {
  return curve.reduce((most, point) => (point.precision >= precision - 1e-12 ? Math.max(most, point.recall) : most), 0)
}
