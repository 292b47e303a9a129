import type * as PlotLibrary from "@observablehq/plot"
import type { Table } from "../../kernels/table.ts"
import { type Canvas, recordsOf } from "../study.ts"
import { palette } from "./colours.ts"
import { narrowWidth } from "./draw.ts"
import { drawLegend } from "./legend.ts"

export interface CurveOptions {
  /** The column of the parameter, and the column with the name of the curve. */
  x: string
  series: string
  label: string
  /** A second column of values for the same points, drawn as rings. */
  ring?: string
  /** A cube-root axis for the values: small shares stay distinguishable, and 0 stays 0. */
  isStretched?: boolean
  /** The upper end of the value axis, for values that are not shares. */
  top?: number
  /** A linear axis for the parameter instead of a logarithmic one. */
  isEven?: boolean
}

/** Draws shares over a parameter, one curve for each score. */
export function shareCurves(table: Table, x: string, canvas: Canvas): PlotLibrary.PlotOptions {
  return drawCurves(table, { x, series: "score", label: "share" }, canvas)
}

/**
 * Draws values in [0, 1], or up to `top`, over a parameter on a logarithmic axis, one curve for each series, with
 * intervals if the table has them. Each curve is named at its right end; overlapping names are moved apart. A narrow
 * drawing has the names above it.
 */
export function drawCurves(table: Table, options: CurveOptions, { Plot, isNarrow }: Canvas): PlotLibrary.PlotOptions {
  const { x, series, label, ring, isStretched = false, top = 1, isEven = false } = options
  const records = recordsOf(table)
  const height = isStretched ? Math.cbrt : Number
  const last = new Map(records.map((record) => [String(record[series]), record]))
  const names = [...last].map(([name, record]) => ({
    [series]: name,
    x: Number(record[x]),
    y: height(Number(record.value) / top),
  }))
  const spread = spreadLabels(names, { gap: 0.055 })
  const labels = spread.map((name) => ({ ...name, y: top * (isStretched ? name.y ** 3 : name.y) }))
  // The library accepts `z` for every mark; its types do not say so. It keeps one series together, whatever its size.
  const together = { z: series } as object
  const entries = [...last.keys()].map((name, i) => ({ name, colour: palette[i % palette.length] ?? "" }))
  const legend = drawLegend(entries, { width: narrowWidth - 80, above: 24 }, Plot)
  return {
    ...(isNarrow
      ? { marginRight: 22, marginTop: legend.height + 8, height: 270 + legend.height }
      : { marginRight: Math.max(130, ...[...last.keys()].map((name) => 16 + 7 * name.length)) }),
    ...(top >= 10_000 && { marginLeft: 72 }),
    x: isEven ? { label: x } : { type: "log", label: x, tickFormat: "~d" },
    y: { label, domain: [0, top], grid: true, ...(isStretched ? stretchedAxis : {}) },
    color: { range: [...palette], domain: [...last.keys()] },
    marks: [
      Plot.ruleY([0]),
      Plot.ruleX(
        records.filter(({ low, high }) => low !== high),
        { x, y1: "low", y2: "high", ...together, stroke: series, strokeOpacity: 0.4 },
      ),
      Plot.lineY(records, { x, y: "value", ...together, stroke: series, strokeWidth: 1.8 }),
      Plot.dot(records, { x, y: "value", ...together, fill: series, r: 3 }),
      ...(ring === undefined ? [] : [Plot.dot(records, { x, y: ring, ...together, stroke: series, r: 5 })]),
      ...(isNarrow
        ? legend.marks
        : [Plot.text(labels, { x: "x", y: "y", text: series, ...together, fill: series, textAnchor: "start", dx: 8 })]),
    ],
  }
}

const stretchedAxis = {
  type: "pow" as const,
  exponent: 1 / 3,
  ticks: [0, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1],
  tickFormat: String,
}

/**
 * Moves heights in [0, 1] apart so that neighbours differ by at least `gap`. Keeps their order and moves them no
 * further than needed.
 */
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
