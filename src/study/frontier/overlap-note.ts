import type { PointResult } from "../study.ts"
import { compareRows, rawName, readFrontier } from "./rows.ts"
import { type UseName, uses } from "./scores.ts"

/**
 * Adds a note if a use says little: for more than half of the releases, the interval of their usefulness overlaps that
 * of the log with its names replaced. In a log without an order between searches, for example, next queries cannot be
 * predicted.
 */
export function overlapNote(results: readonly PointResult[], name: UseName): string[] {
  const compared = compareRows(readFrontier(results), name)
  const raw = compared.find(({ row }) => row.series === rawName)?.use
  if (raw === undefined) return []
  const releases = compared.filter(({ row }) => row.series !== rawName)
  const alike = releases.filter(({ use }) => use.low <= raw.high && raw.low <= use.high).length
  if (alike * 2 <= releases.length) return []
  return [
    [
      `The main chart says little about this log. By “${uses[name].title}”,`,
      `${alike} of ${releases.length} releases cannot be distinguished from the log itself,`,
      `whose value is ${raw.value.toPrecision(2)}: their intervals overlap.`,
      "--use NAME draws another use in the main chart.",
    ].join(" "),
  ]
}
