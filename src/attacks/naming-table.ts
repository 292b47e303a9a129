import type { NamingPoint } from "../kernels/linkage/recall-at-precision.ts"
import { type Table, tableOf } from "../methods/table.ts"

/** What an adversary reaches who names only the surest, by how many he names. */
export function curveTable(curve: readonly NamingPoint[]): Table {
  return tableOf(
    ["confidence", "named", "precision", "recall"],
    curve.map(({ confidence, named, precision, recall }) => [confidence, named, precision, recall]),
  )
}
