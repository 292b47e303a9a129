import type { NamingPoint } from "../kernels/linkage/recall-at-precision.ts"
import { type Table, tableOf } from "../kernels/table.ts"

/**
 * The precision and recall of an adversary who names only the surest targets, over the share that they name. Keeps the
 * last point of each hundredth.
 */
export function curveTable(curve: readonly NamingPoint[]): Table {
  const hundredth = ({ named }: NamingPoint) => Math.ceil(named * 100 - 1e-9)
  const points = curve.filter((point, i) => i + 1 === curve.length || hundredth(point) < hundredth(curve[i + 1]))
  return tableOf(
    ["confidence", "named", "precision", "recall"],
    points.map(({ confidence, named, precision, recall }) => [confidence, named, precision, recall]),
  )
}
