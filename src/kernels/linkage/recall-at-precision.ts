import { orderByNumbers } from "../order-by-numbers.ts"

/** What an adversary achieves by naming only targets with at least this confidence. */
export interface NamingPoint {
  confidence: number
  /** Share of all targets for whom somebody is named. */
  named: number
  /** Share of the named targets that are named rightly. */
  precision: number
  /** Share of all targets that are named rightly. */
  recall: number
}

/** A billionth: confidences that differ by less are equal. */
const step = 1e9

/** One point for each confidence that a target has, descending. Targets of equal confidence are named together. */
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

/** The largest recall of a point with at least this precision, apart from rounding. */
export function recallAtPrecision(curve: readonly NamingPoint[], precision: number): number {
  return curve.reduce((most, point) => (point.precision >= precision - 1e-12 ? Math.max(most, point.recall) : most), 0)
}
