import type * as PlotLibrary from "@observablehq/plot"
import type { Table } from "../methods/table.ts"
import { spreadLabels } from "./curves.ts"
import { palette } from "./draw.ts"
import { recordsOf } from "./study.ts"

type Scale = "linear" | "log" | "root"
type Cell = string | number
type Row = Record<string, Cell>

export interface PanelOptions {
  x: string
  y: string
  /** The column whose values are curves, in the order in which they come; numbers from cold to warm colours. */
  series: string
  /** How a curve is called; its value by default. */
  nameOf?: (series: Cell) => string
  /** The column whose values are panels; one panel without. */
  panel?: string
  /** Panels beside each other. */
  columns?: number
  /** A column of values to compare with, dashed. */
  dashed?: string
  xLabel: string
  yLabel: string
  xScale?: Scale
  yScale?: Scale
  /** The values do not change between points. */
  isStep?: boolean
  /** Rows that are drawn; all by default. */
  only?: (row: Row) => boolean
}

const panelHeight = 250

/**
 * Curves in panels beside and below each other, all on the same axes. Curves are named at their ends in the last panel of
 * each row; names that would lie on each other are moved apart. A root scale shows small values and zero alike.
 */
export function drawPanels(table: Table, options: PanelOptions, Plot: typeof PlotLibrary): PlotLibrary.PlotOptions {
  const { x, y, series, panel, dashed, nameOf = String, xScale = "linear", yScale = "linear" } = options
  const isDrawn = (row: Row) => (yScale !== "log" || Number(row[y]) > 0) && (xScale !== "log" || Number(row[x]) > 0)
  const rows = recordsOf(table).filter((row) => (options.only?.(row) ?? true) && isDrawn(row))
  const names = panel === undefined ? [""] : [...new Set(rows.map((row) => String(row[panel])))]
  const columns = Math.min(options.columns ?? 3, Math.max(1, names.length))
  const placeOf = (row: Row) => {
    const i = panel === undefined ? 0 : names.indexOf(String(row[panel]))
    return { fx: i % columns, fy: Math.floor(i / columns) }
  }
  const placed: Row[] = rows.map((row) => ({ ...row, ...placeOf(row) }))
  const curves = [...new Set(rows.map((row) => row[series] ?? ""))]
  const values = placed.flatMap((row) => [row[y], ...(dashed === undefined ? [] : [row[dashed]])]).map(Number)
  const shownValues = values.filter((value) => yScale !== "log" || value > 0)
  const domain: [number, number] = [yScale === "log" ? Math.min(...shownValues) : 0, Math.max(...shownValues, 1e-9)]
  const facet = { fx: "fx", fy: "fy" }
  const line = {
    x,
    ...facet,
    z: series,
    stroke: series,
    ...(options.isStep === true ? { curve: "step-after" as const } : {}),
  }
  const labels = endLabels(placed, { x, y, series, columns, panels: names.length, domain, yScale })
  const rowsOfPanels = Math.ceil(names.length / columns)
  return {
    width: 900,
    height: rowsOfPanels * panelHeight + 70,
    marginLeft: 62,
    marginRight: 130,
    marginTop: 30,
    fx: { axis: null, padding: 0.06 },
    fy: { axis: null, padding: 0.16 },
    x: { label: options.xLabel, ...scaleOf(xScale), ...ticksOf(placed, x, xScale) },
    y: { label: options.yLabel, domain, grid: true, ...scaleOf(yScale) },
    color: { domain: curves, range: coloursOf(curves) },
    marks: [
      Plot.frame({ stroke: "#ccc" }),
      ...(panel === undefined ? [] : [Plot.text(names.map((name, i) => ({ name, fx: i % columns, fy: Math.floor(i / columns) })), { ...facet, text: "name", frameAnchor: "top-left", dy: -14, fontWeight: 600 })]), // biome-ignore format: a mark
      ...(dashed === undefined
        ? []
        : [Plot.lineY(placed, { ...line, y: dashed, strokeDasharray: "3,3", strokeOpacity: 0.7 })]),
      Plot.lineY(placed, { ...line, y, strokeWidth: 1.7 }),
      ...(options.isStep === true ? [] : [Plot.dot(placed, { x, y, ...facet, fill: series, r: 2 })]),
      Plot.text(labels, {
        x: "x",
        y: "y",
        ...facet,
        text: ({ name }) => nameOf(name),
        fill: "name",
        textAnchor: "start",
        dx: 7,
      }),
    ],
  }
}

function scaleOf(scale: Scale): Pick<PlotLibrary.ScaleOptions, "type" | "exponent" | "tickFormat"> {
  if (scale === "root") return { type: "pow", exponent: 1 / 3, tickFormat: String }
  return scale === "log" ? { type: "log", tickFormat: "~s" } : { type: "linear" }
}

/** Few values have a tick each; a root axis needs round ones. */
function ticksOf(rows: readonly Row[], column: string, scale: Scale): { ticks?: number[]; tickFormat?: string } {
  const values = [...new Set(rows.map((row) => Number(row[column])))].sort((a, b) => a - b)
  if (values.length <= 13 && values.every(Number.isInteger)) return { ticks: values, tickFormat: "d" }
  return scale === "root" ? { ticks: [0, 0.001, 0.01, 0.05, 0.1, 0.2, 0.4] } : { tickFormat: "~s" }
}

/** Numbers go from blue to red in their order; names take colours that stay apart. */
function coloursOf(curves: readonly Cell[]): string[] {
  if (curves.length <= palette.length) return palette
  return curves.map((_, i) => `hsl(${Math.round(235 - (235 * i) / (curves.length - 1))}, 75%, 40%)`)
}

interface EndOptions {
  x: string
  y: string
  series: string
  columns: number
  panels: number
  domain: [number, number]
  yScale: Scale
}

/** The names of the curves at their ends, in the last panel of each row. */
function endLabels(
  rows: readonly Row[],
  options: EndOptions,
): { name: Cell; x: number; y: number; fx: number; fy: number }[] {
  const { x, y, series, columns, panels, domain, yScale } = options
  const [low, high] = domain
  const bend = { linear: Number, log: Math.log, root: Math.cbrt }[yScale]
  const unbend = { linear: Number, log: Math.exp, root: (value: number) => value ** 3 }[yScale]
  const span = bend(high) - bend(low) || 1
  const right = Math.max(...rows.map((row) => Number(row[x])))
  return Array.from({ length: Math.ceil(panels / columns) }, (_, fy) => {
    const fx = Math.min(columns, panels - fy * columns) - 1
    const ends = new Map<Cell, number>()
    for (const row of rows) if (row.fx === fx && row.fy === fy) ends.set(row[series] ?? "", Number(row[y]))
    const heights = [...ends].map(([name, value]) => ({ name, y: (bend(value) - bend(low)) / span }))
    return spreadLabels(heights, { gap: 14 / panelHeight }).map((label) => ({
      ...label,
      x: right,
      y: unbend(bend(low) + label.y * span),
      fx,
      fy,
    }))
  }).flat()
}
