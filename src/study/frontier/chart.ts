import type * as PlotLibrary from "@observablehq/plot"
import type { Table } from "../../kernels/table.ts"
import { palette } from "../figures/draw.ts"
import { rootTicks } from "../figures/panels.ts"
import { type BentScale, bendScale } from "../figures/scales.ts"
import { recordsOf } from "../study.ts"
import { placeLabels } from "./place-labels.ts"

export interface ChartOptions {
  /** Names the axis of usefulness. */
  title: string
  better: "higher" | "lower"
  /** All that there may be, in the order of their colours and symbols, which are the same in every chart. */
  series: readonly string[]
  /** The one that is no method: black. */
  raw: string
  isSmall: boolean
}

const symbols = ["circle", "square", "triangle", "diamond", "star", "wye"] as const
const margin = { left: 60, right: 24, top: 42, bottom: 48 }

type Row = Record<string, string | number>

/**
 * Usefulness from worse on the left to better on the right, risk upwards by cube root, so that small risks can be told apart
 * and none is still none. Intervals are thin bars. The front is a stair: what risk must be taken for so much use.
 */
export function drawFrontier(table: Table, options: ChartOptions, Plot: typeof PlotLibrary): PlotLibrary.PlotOptions {
  const rows = recordsOf(table)
  const size = options.isSmall ? { width: 440, height: 330 } : { width: 900, height: 600 }
  const x = useScale(rows, options, size.width)
  const top = Math.max(...rows.map(({ high }) => Number(high)), 0.01)
  const y = bendScale({ domain: [0, top * 1.12], range: [size.height - margin.bottom, margin.top], bend: "root" })
  const front = rows
    .filter((row) => row.front === "yes")
    .sort((a, b) => x.place(Number(a.use)) - x.place(Number(b.use)))
  const original = rows.find((row) => row.original !== "")?.original
  const style = styleOf(options)
  const at = { x: "use", y: "risk" }
  return {
    ...size,
    marginLeft: margin.left,
    marginRight: margin.right,
    marginTop: margin.top,
    marginBottom: margin.bottom,
    x: { ...x.axis, label: `${options.title} (better →)`, labelAnchor: "center", labelArrow: "none" },
    y: {
      ...y.axis,
      ticks: rootTicks(top).filter((tick) => tick <= top),
      tickFormat: String,
      grid: true,
      label: "risk",
      labelArrow: "up",
    },
    marks: [
      Plot.frame({ stroke: "#ccc" }),
      ...(original === undefined ? [] : originalLine(Number(original), { x, y }, options, Plot)),
      Plot.ruleX(rows.filter(({ low, high }) => low !== high), { x: "use", y1: "low", y2: "high", stroke: style.colour, strokeOpacity: 0.45 }), // biome-ignore format: a mark
      Plot.ruleY(rows.filter(({ useLow, useHigh }) => useLow !== useHigh), { y: "risk", x1: "useLow", x2: "useHigh", stroke: style.colour, strokeOpacity: 0.45 }), // biome-ignore format: a mark
      Plot.lineY(front, { ...at, curve: "step-before", stroke: "#888", strokeWidth: 1.2, strokeDasharray: "5,3" }),
      ...options.series.map(
        (name) =>
        Plot.dot(
          rows.filter(({ method }) => method === name),
          { ...at, symbol: style.symbol(name), fill: style.of(name), ...(name === options.raw ? { stroke: "#000", strokeWidth: 1.5 } : { stroke: "white", strokeWidth: 0.8 }), r: options.isSmall ? 4.5 : 5.5 },
        ), // biome-ignore format: a mark
      ),
      Plot.dot(front, { ...at, r: options.isSmall ? 8 : 10, stroke: "#444", strokeWidth: 1 }),
      ...labels(rows, { x, y, ...size }, options, Plot),
      ...legend(rows, options, Plot),
    ],
  }
}

interface Scales {
  x: BentScale
  y: BentScale
}

/** Values with the log's own and intervals, some room beside them; by powers of ten where they span more than one. */
function useScale(rows: readonly Row[], { better }: ChartOptions, width: number): BentScale {
  const values = rows
    .flatMap(({ use, useLow, useHigh, original }) => [use, useLow, useHigh, ...(original === "" ? [] : [original])])
    .map(Number)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const isWide = least > 0 && most / least > 20
  const room = 0.06 * (most - least || 1)
  const start = better === "higher" ? 0 : least - room
  const domain: [number, number] = isWide ? [least / 1.3, most * 1.3] : [least < room ? -room / 2 : start, most + room] // no symbol on the frame
  const range: [number, number] = [margin.left, width - margin.right]
  return bendScale({
    domain,
    range: better === "higher" ? range : [range[1], range[0]],
    bend: isWide ? "log" : "linear",
  })
}

function styleOf({ series, raw }: ChartOptions) {
  const methods = series.filter((name) => name !== raw)
  const of = (name: string) => (name === raw ? "#000" : (palette[methods.indexOf(name)] ?? "#666"))
  return {
    of,
    colour: ({ method }: Row) => of(String(method)),
    symbol: (name: string) => (name === raw ? "times" : (symbols[methods.indexOf(name)] ?? "circle")),
  }
}

/** What the log itself scores. */
function originalLine(value: number, { x }: Scales, { isSmall }: ChartOptions, Plot: typeof PlotLibrary) {
  const isRight = x.place(value) > (x.axis.range[0] + x.axis.range[1]) / 2
  const text = { x: "value", frameAnchor: "bottom" as const, dy: -6, dx: isRight ? -5 : 5 }
  const anchor = isRight ? ("end" as const) : ("start" as const)
  return [
    Plot.ruleX([{ value }], { x: "value", stroke: "#555", strokeDasharray: "2,3" }),
    Plot.text([{ value }], { ...text, text: () => (isSmall ? "log" : "the log itself"), textAnchor: anchor, fill: "#555" }), // biome-ignore format: a mark
  ]
}

/** Points of the front, and the raw log, by name; a line leads to a label that stands apart. */
function labels(
  rows: readonly Row[],
  { x, y, width, height }: Scales & { width: number; height: number },
  { isSmall, raw }: ChartOptions,
  Plot: typeof PlotLibrary,
) {
  const origin = { x: margin.left + 4, y: margin.top + 16 }
  const points = rows.map((row) => {
    const isNamed = row.front === "yes" || row.method === raw
    const place = { x: x.place(Number(row.use)) - origin.x, y: y.place(Number(row.risk)) - origin.y }
    return { ...place, ...(isNamed && { text: String(isSmall ? row.short : row.label) }) }
  })
  const inner = { width: width - origin.x - margin.right - 4, height: height - origin.y - margin.bottom - 4 }
  const placed = placeLabels(points, { ...inner, letter: isSmall ? 5.4 : 6.2, line: isSmall ? 12 : 14, reach: isSmall ? 60 : 130 }) // biome-ignore format: a call
  const back = (place: { x: number; y: number }) => ({ x: x.value(place.x + origin.x), y: y.value(place.y + origin.y) })
  const texts = placed.map((label) => ({ ...back(label), text: label.text }))
  const leads = placed.flatMap(({ point, x: left, y: middle, width: long }) => {
    const end = { x: Math.min(Math.max(point.x, left), left + long), y: middle }
    if (Math.hypot(end.x - point.x, end.y - point.y) < 22) return []
    const [from, to] = [back(point), back(end)]
    return [{ x1: from.x, y1: from.y, x2: to.x, y2: to.y }]
  })
  const halo = { stroke: "white", strokeWidth: 4, fill: "#222" }
  return [
    Plot.link(leads, { x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: "#999", strokeWidth: 0.7 }),
    Plot.text(texts, { x: "x", y: "y", text: "text", textAnchor: "start", fontSize: isSmall ? 10 : 11.5, ...halo }),
  ]
}

/** Colours and symbols, above the frame. */
function legend(rows: readonly Row[], options: ChartOptions, Plot: typeof PlotLibrary) {
  const { isSmall } = options
  const series = options.series.filter((name) => rows.some(({ method }) => method === name))
  const style = styleOf(options)
  const letter = isSmall ? 5.6 : 6.8
  let dx = 8
  return series.flatMap((name) => {
    const place = { frameAnchor: "top-left" as const, dy: -14 }
    const mark = { symbol: style.symbol(name), fill: style.of(name), stroke: name === options.raw ? "#000" : "none" }
    const marks = [
      Plot.dot([0], { ...place, ...mark, dx, r: isSmall ? 3.5 : 5 }),
      Plot.text([name], { ...place, dx: dx + 8, textAnchor: "start", text: (text: string) => text, fontSize: isSmall ? 10 : 12 }), // biome-ignore format: a mark
    ]
    dx += 8 + name.length * letter + (isSmall ? 10 : 22)
    return marks
  })
}
