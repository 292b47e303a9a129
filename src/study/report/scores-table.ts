import { tableOf } from "../../methods/table.ts"
import type { Score } from "../../release/probe.ts"
import { formatCell } from "../pages/page.ts"

/** Scores as a table for people; none where there was nothing to score. */
export function scoresTable(scores: readonly Score[]) {
  return tableOf(
    ["score", "value", "95 % interval", "n", "baseline", "better"],
    scores.map(({ name, value, interval, n, baseline, better }) => [
      name,
      Number.isNaN(value) ? "none" : value.toFixed(4),
      interval === undefined ? "" : `${interval[0].toFixed(4)} – ${interval[1].toFixed(4)}`,
      n === undefined ? "" : formatCell(n),
      baseline === undefined ? "" : formatCell(baseline),
      better,
    ]),
  )
}
