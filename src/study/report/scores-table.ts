import { tableOf } from "../../kernels/table.ts"
import type { Score } from "../../probes/score.ts"
import { formatCell } from "../pages/page.ts"

/** Scores as a table for readers. */
export function scoresTable(scores: readonly Score[]) {
  return tableOf(
    ["score", "value", "95 % interval", "n", "baseline", "better"],
    scores.map(({ name, value, interval, n, baseline, better }) => [
      name,
      fixed(value),
      interval === undefined ? "" : `${fixed(interval[0])} – ${fixed(interval[1])}`,
      n === undefined ? "" : formatCell(n),
      baseline === undefined ? "" : formatCell(baseline),
      better,
    ]),
  )
}

/** Four decimals. A value that rounds to 0 has no sign. */
const fixed = (value: number) => value.toFixed(4).replace(/^-(0\.0+)$/, "$1")
