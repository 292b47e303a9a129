import type * as PlotLibrary from "@observablehq/plot"
import type { Table } from "../../kernels/table.ts"
import { type Canvas, recordsOf } from "../study.ts"
import { greys, hueOf, palette } from "./colours.ts"
import { spreadLabels } from "./curves.ts"
import { narrowWidth } from "./draw.ts"
import { drawLegend } from "./legend.ts"

type Scale = "linear" | "log" | "root"
type Cell = string | number
type Row = Record<string, Cell>

export interface PanelOptions {
  x: string
  y: string
  /**
   * The column whose values are the curves, in order of appearance. Curves named by numbers go from cold to warm
   * colours.
   */
  series: string
  /** The name of a curve (default: its value). */
  nameOf?: (series: Cell) => string
  /** The column whose values are the panels (default: one panel). */
  panel?: string
  /** Number of panels in a row. */
  columns?: number
  /** A column of values for comparison, drawn dashed. */
  dashed?: string
  xLabel: string
  yLabel: string
  xScale?: Scale
  yScale?: Scale
  /** True if the table has intervals in `low` and `high`. */
  hasIntervals?: boolean
  /** The name of the theoretical curve, drawn dashed and grey. */
  theory?: string
  /** True if the values do not change between points. */
  isStep?: boolean
  /** The rows to draw (default: all). */
  only?: (row: Row) => boolean
}

const panelHeight = 220

const centred = { labelAnchor: "center" as const, labelArrow: "none" as const }

/**
 * Draws curves in a grid of panels, all on the same axes. Curves are named at their ends in the last panel of each row;
 * overlapping names are moved apart. A narrow drawing has one panel per row and the names above. A root scale shows
 * both small values and zero.
 */
export function drawPanels(table: Table, options: PanelOptions, { Plot, isNarrow }: Canvas): PlotLibrary.PlotOptions {
  const { x, y, series, panel, dashed, nameOf = String, xScale = "linear", yScale = "linear" } = options
  const isDrawn = (row: Row) => (yScale !== "log" || Number(row[y]) > 0) && (xScale !== "log" || Number(row[x]) > 0)
  const rows = recordsOf(table).filter((row) => (options.only?.(row) ?? true) && isDrawn(row))
  const names = panel === undefined ? [""] : [...new Set(rows.map((row) => String(row[panel])))]
  const columns = Math.min(isNarrow ? 1 : (options.columns ?? 3), Math.max(1, names.length))
  const placeOf = (row: Row) => {
    const i = panel === undefined ? 0 : names.indexOf(String(row[panel]))
    return { fx: i % columns, fy: Math.floor(i / columns) }
  }
  const placed: Row[] = rows.map((row) => ({ ...row, ...placeOf(row) }))
  const curves = [...new Set(rows.map((row) => row[series] ?? ""))]
  const beside = [...(dashed === undefined ? [] : [dashed]), ...(options.hasIntervals === true ? ["high"] : [])]
  const heights = placed.flatMap((row) => [y, ...beside].map((column) => Number(row[column])))
  const domain = domainOf(heights, yScale)
  const labels = endLabels(placed, { x, y, series, columns, panels: names.length, domain, yScale })
  const theory = placed.filter((row) => row[series] === options.theory)
  const measured = placed.filter((row) => row[series] !== options.theory)
  const facet = { fx: "fx", fy: "fy" }
  const curve = options.isStep === true ? { curve: "step-after" as const } : {}
  const line = { x, ...facet, z: series, stroke: series, ...curve }
  const dashes = { ...line, strokeDasharray: "3,3" }
  const titles = names.map((name, i) => ({ name, fx: i % columns, fy: Math.floor(i / columns) }))
  const rowsOfPanels = Math.ceil(names.length / columns)
  const positions = placed.map((row) => Number(row[x]))
  const colours = coloursOf(curves, options.theory)
  const entries = curves.map((name, i) => ({ name: nameOf(name), colour: colours[i] ?? greys.ink }))
  const legend = drawLegend(entries, { width: narrowWidth - 90, above: 32 }, Plot)
  const height = rowsOfPanels * panelHeight * 1.2 + 60
  return {
    ...(isNarrow
      ? { width: narrowWidth, height: height + legend.height, marginRight: 14, marginTop: legend.height + 8 }
      : { width: 900, height, marginRight: 130, marginTop: 30 }),
    marginLeft: 70,
    fx: { axis: null, paddingInner: columns > 1 ? 0.1 : 0, paddingOuter: 0 },
    fy: { axis: null, paddingInner: rowsOfPanels > 1 ? 0.2 : 0, paddingOuter: 0 },
    x: { label: options.xLabel, ...centred, ...axisOf(xScale, positions) },
    y: { label: options.yLabel, ...centred, domain, grid: true, ...axisOf(yScale, domain) },
    color: { type: "ordinal", domain: curves, range: colours },
    marks: [
      Plot.frame({ stroke: greys.frame }),
      Plot.text(titles, { ...facet, text: "name", frameAnchor: "top-left", dy: -14, fontWeight: 600 }),
      ...(dashed === undefined ? [] : [Plot.lineY(placed, { ...dashes, y: dashed, strokeOpacity: 0.7 })]),
      Plot.lineY(theory, { ...dashes, y, strokeWidth: 1.5 }),
      Plot.ruleX(
        measured.filter(({ low, high }) => options.hasIntervals === true && low !== high),
        { x, y1: "low", y2: "high", ...facet, stroke: series, strokeOpacity: 0.5 },
      ),
      Plot.lineY(measured, { ...line, y, strokeWidth: 1.7 }),
      ...(options.isStep === true ? [] : [Plot.dot(measured, { x, y, ...facet, fill: series, r: 2 })]),
      ...(isNarrow
        ? legend.marks
        : [
            Plot.text(labels, {
              x: "x",
              y: "y",
              ...facet,
              text: ({ name }) => nameOf(name),
              fill: "name",
              textAnchor: "start",
              dx: 7,
            }),
          ]),
    ],
  }
}

function domainOf(values: readonly number[], scale: Scale): [number, number] {
  const high = Math.max(...values, 0) || 1
  return [scale === "log" ? Math.min(high, ...values.filter((value) => value > 0)) : 0, high]
}

/**
 * The type and ticks of an axis. A few integer values get one tick each. Otherwise a logarithmic axis has ticks at 1, 2
 * and 5 of each decade, and a root axis has them at round values.
 */
function axisOf(scale: Scale, values: readonly number[]): PlotLibrary.ScaleOptions {
  const distinct = [...new Set(values)].sort((a, b) => a - b)
  const [low, high] = [distinct[0] ?? 0, distinct.at(-1) ?? 1]
  const isFew = distinct.length > 2 && distinct.length <= 13 && distinct.every(Number.isInteger)
  const round = scale === "log" ? decades(low, high) : rootTicks(high)
  const ticks = isFew ? distinct : round.filter((tick) => tick >= low && tick <= high)
  if (scale === "linear") return { type: scale, ...(isFew ? { ticks } : {}), tickFormat: shorten }
  if (scale === "root") return { type: "pow", exponent: 1 / 3, ticks, tickFormat: shorten }
  // The library's own logarithmic axis omits the labels of ticks that are not near a power of ten.
  return {
    transform: Math.log10,
    domain: [low, high].map(Math.log10),
    ticks: ticks.map(Math.log10),
    tickFormat: (power: number) => shorten(Number((10 ** power).toPrecision(6))),
  }
}

/**
 * Ticks of a root axis. Shares get familiar values. Other values get 1, 2 and 5 of each decade, as far as they are far
 * enough apart under a cube root.
 */
export function rootTicks(high: number): number[] {
  if (high > 0.1 && high <= 1) return [0, 0.001, 0.01, 0.05, 0.1, 0.3, 0.6, 1]
  const ticks = [0]
  for (const tick of decades(high / 100, high)) {
    const isApart = Math.cbrt(tick / high) - Math.cbrt((ticks.at(-1) ?? 0) / high) > 0.07
    if (tick >= high / 300 && tick <= high && isApart) ticks.push(tick)
  }
  return ticks
}

/** 1, 2 and 5 of each decade; only powers of ten if there are more than three decades. */
function decades(low: number, high: number): number[] {
  const powers = Array.from({ length: 24 }, (_, i) => i - 9)
  const steps = Math.log10(high / low) > 3 ? [1] : [1, 2, 5]
  return powers.flatMap((power) => steps.map((step) => Number(`${step}e${power}`)))
}

const shorten = (value: number) => (value >= 1000 ? `${value / 1000}k` : String(value))

/** Colours of the curves. Many curves go from blue to red in their order; a few get clearly different colours. */
function coloursOf(curves: readonly Cell[], theory: string | undefined): string[] {
  return curves.map((curve, i) => {
    if (curve === theory) return greys.soft
    const few = curves.length <= palette.length ? palette[i] : undefined
    return few ?? hueOf(i, curves.length)
  })
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
