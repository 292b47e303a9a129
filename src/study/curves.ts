import type * as PlotLibrary from "@observablehq/plot"
import type { Table } from "../methods/table.ts"
import { palette } from "./draw.ts"
import { recordsOf } from "./study.ts"

/**
 * Shares over a parameter on a logarithmic axis, one curve for each score, with intervals where there are any. Each
 * curve is named at its right end; names that would lie on each other are moved apart.
 */
export function shareCurves(table: Table, x: string, Plot: typeof PlotLibrary): PlotLibrary.PlotOptions {
  const records = recordsOf(table)
  const last = new Map(records.map((record) => [String(record.score), record]))
  const names = [...last].map(([score, record]) => ({ score, x: Number(record[x]), y: Number(record.value) }))
  const labels = spreadLabels(names, { gap: 0.055 })
  return {
    marginRight: 130,
    x: { type: "log", label: x, tickFormat: "~d" },
    y: { label: "share", domain: [0, 1], grid: true },
    color: { range: palette, domain: names.map(({ score }) => score) },
    marks: [
      Plot.ruleY([0]),
      Plot.ruleX(
        records.filter(({ low, high }) => low !== high),
        { x, y1: "low", y2: "high", ...series, stroke: "score", strokeOpacity: 0.4 },
      ),
      Plot.lineY(records, { x, y: "value", ...series, stroke: "score", strokeWidth: 1.8 }),
      Plot.dot(records, { x, y: "value", ...series, fill: "score", r: 3 }),
      Plot.text(labels, { x: "x", y: "y", text: "score", ...series, fill: "score", textAnchor: "start", dx: 8 }),
    ],
  }
}

/** The library takes `z` for every mark; its types do not say so. It keeps one series together, whatever its size. */
const series = { z: "score" } as object

/** Moves heights in [0, 1] apart so that neighbours differ by at least `gap`, in their order, as little as that needs. */
export function spreadLabels<L extends { y: number }>(labels: readonly L[], options: { gap: number }): L[] {
  const { gap } = options
  const sorted = [...labels].sort((a, b) => a.y - b.y)
  const heights: number[] = []
  for (const { y } of sorted) heights.push(Math.max(y, (heights.at(-1) ?? Number.NEGATIVE_INFINITY) + gap))
  let ceiling = 1
  for (let i = heights.length - 1; i >= 0; i--) {
    heights[i] = Math.min(heights[i] ?? 0, ceiling)
    ceiling = (heights[i] ?? 0) - gap
  }
  return sorted.map((label, i) => ({ ...label, y: heights[i] ?? label.y }))
}
