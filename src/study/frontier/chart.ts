import type * as PlotLibrary from "@observablehq/plot"
import type { Table } from "../../kernels/table.ts"
import { greys, palette } from "../figures/colours.ts"
import { drawDetails } from "../figures/details.ts"
import { narrowWidth } from "../figures/draw.ts"
import { drawLegend } from "../figures/legend.ts"
import { rootTicks } from "../figures/panels.ts"
import { type BentScale, bendScale } from "../figures/scales.ts"
import { type Canvas, recordsOf } from "../study.ts"
import { describeSpot } from "./detail-lines.ts"
import { gatherPoints, type Spot } from "./gather-points.ts"
import { type Box, placeLabels } from "./place-labels.ts"

export interface ChartOptions {
  /** Label of the usefulness axis. */
  title: string
  better: "higher" | "lower"
  /** All possible series, in the order of their colours and symbols. These are the same in every chart. */
  series: readonly string[]
  /** The series that is not a method. It is black. */
  raw: string
  /** True for one of several charts in a row. The Tab key does not stop at its points. */
  isSmall: boolean
}

type Row = Record<string, string | number>

const symbols = ["circle", "square", "triangle", "diamond", "star", "wye"] as const
const side = { left: 52, right: 18 }
const below = 50

/** Positions in pixels. */
interface Layout {
  x: BentScale
  y: BentScale
  width: number
  height: number
  top: number
  isNarrow: boolean
}

/**
 * Draws usefulness from worse on the left to better on the right. Risk goes upwards on a cube-root scale, so that small
 * risks differ visibly and 0 stays 0. Intervals are thin bars. The front is drawn as steps: the risk that a given
 * usefulness costs.
 */
export function drawFrontier(table: Table, options: ChartOptions, canvas: Canvas): PlotLibrary.PlotOptions {
  const { Plot, isNarrow } = canvas
  const rows = recordsOf(table)
  const size = isNarrow ? { width: narrowWidth, height: options.isSmall ? 340 : 460 } : { width: 900, height: 600 }
  const legend = drawLegend(legendOf(rows, options), { width: size.width - side.left - side.right, above: 14 }, Plot)
  const top = legend.height + 22
  const most = Math.max(...rows.map(({ high }) => Number(high)), 0.01)
  const y = bendScale({ domain: [0, most * 1.12], range: [size.height - below, top], bend: "root" })
  const layout: Layout = { ...size, x: useScale(rows, options, size.width), y, top, isNarrow }
  const front = rows
    .filter((row) => row.front === "yes")
    .sort((a, b) => layout.x.place(Number(a.use)) - layout.x.place(Number(b.use)))
  const original = rows.find((row) => row.original !== "")?.original
  const line = original === undefined ? undefined : originalLine(Number(original), layout, Plot)
  const spots = gatherPoints(
    rows.map((row) => ({ ...row, ...placeOf(row, layout) })),
    { near: 7 },
  )
  const style = styleOf(options)
  const at = { x: "use", y: "risk" }
  const bar = { stroke: style.colour, strokeOpacity: 0.45 }
  return {
    ...size,
    marginLeft: side.left,
    marginRight: side.right,
    marginTop: top,
    marginBottom: below,
    x: { ...layout.x.axis, label: null, ...(isNarrow && layout.x.bend === "linear" && { ticks: 5 }) },
    y: {
      ...y.axis,
      ticks: rootTicks(most).filter((tick) => tick <= most),
      tickFormat: String,
      grid: true,
      label: null,
    },
    marks: [
      Plot.frame({ stroke: greys.frame }),
      Plot.text([useLabel(layout, options)], {
        frameAnchor: "bottom",
        text: String,
        lineAnchor: "top",
        dy: 24,
        lineHeight: 1.2,
        fill: greys.ink,
      }),
      Plot.text([riskLabel(isNarrow)], {
        frameAnchor: "top-left",
        text: String,
        textAnchor: "start",
        lineAnchor: "top",
        dx: 4 - side.left,
        dy: 4 - top,
        fill: greys.ink,
      }),
      ...(line?.marks ?? []),
      Plot.ruleX(
        rows.filter(({ low, high }) => low !== high),
        { x: "use", y1: "low", y2: "high", ...bar },
      ),
      Plot.ruleY(
        rows.filter(({ useLow, useHigh }) => useLow !== useHigh),
        { y: "risk", x1: "useLow", x2: "useHigh", ...bar },
      ),
      Plot.lineY(front, { ...at, curve: "step-before", stroke: greys.lead, strokeWidth: 1.2, strokeDasharray: "5,3" }),
      ...options.series.map((name) => {
        const look = { symbol: style.symbol(name), fill: style.of(name), r: isNarrow ? 4.5 : 5.5 }
        const edge =
          name === options.raw
            ? { stroke: style.of(name), strokeWidth: 1.5 }
            : { stroke: greys.paper, strokeWidth: 0.8 }
        return Plot.dot(
          rows.filter(({ method }) => method === name),
          { ...at, ...look, ...edge },
        )
      }),
      Plot.dot(front, { ...at, r: isNarrow ? 8 : 10, stroke: greys.soft, strokeWidth: 1 }),
      ...labels(spots, layout, { ...options, taken: line === undefined ? [] : [line.box] }, Plot),
      ...legend.marks,
      drawDetails(
        spots.map(({ x, y, points }) => ({ x, y, ...describeSpot(points, options) })),
        { ...size, isTabStop: !options.isSmall },
      ),
    ],
  }
}

const placeOf = (row: Row, { x, y }: Layout) => ({ x: x.place(Number(row.use)), y: y.place(Number(row.risk)) })

const riskLabel = (isNarrow: boolean) =>
  isNarrow
    ? "↑ risk; lower is safer (cube-root scale)"
    : "↑ risk: what the best attack gains over a guess; lower is safer " +
      "(cube-root scale, which shows small risks larger)"

function useLabel({ x, isNarrow }: Layout, { title }: ChartOptions): string {
  const scale = x.bend === "log" ? "logarithmic scale: each number is ten times the last" : "linear scale"
  return `→ ${title}; further right is better${isNarrow ? "\n" : " "}(${scale})`
}

/**
 * The scale of usefulness. It covers the values, their intervals and the log's own value, with some margin. It is
 * logarithmic if they span more than a factor of 20.
 */
function useScale(rows: readonly Row[], { better }: ChartOptions, width: number): BentScale {
  const values = rows
    .flatMap(({ use, useLow, useHigh, original }) => [use, useLow, useHigh, ...(original === "" ? [] : [original])])
    .map(Number)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const isWide = least > 0 && most / least > 20
  const room = 0.06 * (most - least || 1)
  const start = better === "higher" ? 0 : least - room
  const low = least < room ? -room / 2 : start // keeps symbols off the frame
  const domain: [number, number] = isWide ? [least / 1.3, most * 1.3] : [low, most + room]
  const range: [number, number] = [side.left, width - side.right]
  return bendScale({
    domain,
    range: better === "higher" ? range : [range[1], range[0]],
    bend: isWide ? "log" : "linear",
  })
}

function styleOf({ series, raw }: ChartOptions) {
  const methods = series.filter((name) => name !== raw)
  const of = (name: string) => (name === raw ? "#000000" : (palette[methods.indexOf(name)] ?? greys.soft))
  return {
    of,
    colour: ({ method }: Row) => of(String(method)),
    symbol: (name: string) => (name === raw ? "times" : (symbols[methods.indexOf(name)] ?? "circle")),
  }
}

function legendOf(rows: readonly Row[], options: ChartOptions) {
  const style = styleOf(options)
  return options.series
    .filter((name) => rows.some(({ method }) => method === name))
    .map((name) => ({ name, colour: style.of(name), symbol: style.symbol(name), isOutline: name === options.raw }))
}

/** The log's own score as a line, and the position of its label. */
function originalLine(value: number, { x, height, isNarrow }: Layout, Plot: typeof PlotLibrary) {
  const isRight = x.place(value) > (x.axis.range[0] + x.axis.range[1]) / 2
  const text = isNarrow ? "log" : "the log itself"
  const width = text.length * 6.5
  const left = isRight ? x.place(value) - 5 - width : x.place(value) + 5
  return {
    box: { left, right: left + width, top: height - below - 20, bottom: height - below },
    marks: [
      Plot.ruleX([value], { stroke: greys.soft, strokeDasharray: "2,3" }),
      Plot.text([value], {
        x: Number,
        frameAnchor: "bottom",
        dy: -6,
        dx: isRight ? -5 : 5,
        text: () => text,
        textAnchor: isRight ? "end" : "start",
        fill: greys.soft,
      }),
    ],
  }
}

/**
 * Labels for the points of the front and for the raw log, one label per spot. A line connects a label to its point if
 * they are apart.
 */
function labels(
  spots: readonly Spot<Row>[],
  layout: Layout,
  { raw, taken }: ChartOptions & { taken: readonly Box[] },
  Plot: typeof PlotLibrary,
): PlotLibrary.Markish[] {
  const { x, y, width, height, top, isNarrow } = layout
  const origin = { x: side.left + 4, y: top + 4 }
  const points = spots.map((spot) => {
    const named = spot.points.find((row) => row.front === "yes" || row.method === raw)
    const more = spot.points.length === 1 ? "" : ` + ${spot.points.length - 1}`
    const text = named === undefined ? {} : { text: `${isNarrow ? named.short : named.label}${more}` }
    return { x: spot.x - origin.x, y: spot.y - origin.y, ...text }
  })
  const placed = placeLabels(points, {
    width: width - origin.x - side.right - 4,
    height: height - origin.y - below - 4,
    ...(isNarrow ? { letter: 6, line: 14, reach: 60 } : { letter: 6.4, line: 15, reach: 130 }),
    taken: taken.map((box) => ({
      left: box.left - origin.x,
      right: box.right - origin.x,
      top: box.top - origin.y,
      bottom: box.bottom - origin.y,
    })),
  })
  const back = (place: { x: number; y: number }) => ({ x: x.value(place.x + origin.x), y: y.value(place.y + origin.y) })
  const leads = placed.flatMap(({ point, x: left, y: middle, width: long }) => {
    const end = { x: Math.min(Math.max(point.x, left), left + long), y: middle }
    if (Math.hypot(end.x - point.x, end.y - point.y) < 22) return []
    const [from, to] = [back(point), back(end)]
    return [{ x1: from.x, y1: from.y, x2: to.x, y2: to.y }]
  })
  const texts = placed.map((label) => ({ ...back(label), text: label.text }))
  const look = { fontSize: isNarrow ? 11 : 12, stroke: greys.paper, strokeWidth: 4, fill: greys.ink }
  return [
    Plot.link(leads, { x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: greys.lead, strokeWidth: 0.7 }),
    Plot.text(texts, { x: "x", y: "y", text: "text", textAnchor: "start", ...look }),
  ]
}
