import type * as PlotLibrary from "@observablehq/plot"
import { greys } from "./colours.ts"

/** A name and how it is drawn. */
export interface LegendEntry {
  name: string
  colour: string
  symbol?: PlotLibrary.SymbolType
  /** The symbol is lines, with nothing to fill. */
  isOutline?: boolean
}

interface LegendOptions {
  /** Between the margins of the drawing. */
  width: number
  /** Pixels between the last row and the frame. */
  above: number
}

const row = 17
const letter = 6.6

/** Names behind their colours in rows above the frame, and how much room above the frame the rows need. */
export function drawLegend(
  entries: readonly LegendEntry[],
  { width, above }: LegendOptions,
  Plot: typeof PlotLibrary,
): { marks: PlotLibrary.Markish[]; height: number } {
  const placed = placeEntries(entries, width)
  const rows = 1 + Math.max(0, ...placed.map(({ line }) => line))
  const marks = placed.flatMap(({ name, colour, symbol = "square", isOutline = false, left, line }) => {
    const dy = -above - (rows - 1 - line) * row
    const place = { frameAnchor: "top-left" as const, facet: "super" as const, dy }
    const look = isOutline ? { stroke: colour, strokeWidth: 1.5 } : { fill: colour }
    return [
      Plot.dot([0], { ...place, ...look, symbol, dx: left + 6, r: 4.5 }),
      Plot.text([name], { ...place, dx: left + 15, text: String, textAnchor: "start", lineAnchor: "middle", fill: greys.ink }), // biome-ignore format: a mark
    ]
  })
  return { marks, height: above + rows * row }
}

/** From left to right; one that does not fit begins the next row. */
function placeEntries(entries: readonly LegendEntry[], width: number) {
  let left = 0
  let line = 0
  return entries.map((entry) => {
    const need = 15 + entry.name.length * letter
    if (left > 0 && left + need > width) {
      left = 0
      line++
    }
    const placed = { ...entry, left, line }
    left += need + 14
    return placed
  })
}
