import type * as PlotLibrary from "@observablehq/plot"
import { greys } from "./colours.ts"

/** A name and the symbol drawn for it. */
export interface LegendEntry {
  name: string
  colour: string
  symbol?: PlotLibrary.SymbolType
  /** True if the symbol consists of lines and has no area to fill. */
  isOutline?: boolean
}

interface LegendOptions {
  /** Width between the margins of the drawing. */
  width: number
  /** Pixels between the last row and the frame. */
  above: number
}

const row = 17
const letter = 6.6

/** Draws rows of coloured symbols with their names above the frame. Also returns the height that the rows need. */
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
      Plot.text([name], {
        ...place,
        dx: left + 15,
        text: String,
        textAnchor: "start",
        lineAnchor: "middle",
        fill: greys.ink,
      }),
    ]
  })
  return { marks, height: above + rows * row }
}

/** Places entries from left to right. An entry that does not fit starts the next row. */
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
