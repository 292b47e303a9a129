import type * as PlotLibrary from "@observablehq/plot"
import { greys } from "./colours.ts"

/** A point of a drawing, in pixels, with its description: a heading and lines below it. */
export interface DetailedPoint {
  x: number
  y: number
  heading: string
  lines: readonly string[]
}

export const pointClass = "point"

/** Works without a script. The box of a point is shown while the pointer is over the point, or after a tap or focus. */
export const detailRules = [
  `.${pointClass}{cursor:pointer;outline:none}`,
  `.${pointClass}:hover>g,.${pointClass}:focus>g{visibility:visible}`,
  `.drawing:has(.${pointClass}:hover) .${pointClass}:focus:not(:hover)>g{visibility:hidden}`,
  `.${pointClass}:focus>circle{stroke:currentColor;stroke-width:2}`,
].join("")

const letter = 6.6
const line = 15
const pad = 8
const namespace = "http://www.w3.org/2000/svg"

interface DetailOptions {
  width: number
  height: number
  /** True if the Tab key stops at each point. */
  isTabStop: boolean
}

/**
 * The top layer of a drawing: a touch target over each point. The details of a point are its accessible name, and are
 * shown in a box next to it.
 */
export function drawDetails(
  points: readonly DetailedPoint[],
  { width, height, isTabStop }: DetailOptions,
): PlotLibrary.RenderFunction {
  return (_index, _scales, _values, _dimensions, { document }) => {
    const make = (name: string, attributes: Record<string, string | number>) => {
      const element = document.createElementNS(namespace, name)
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
      return element
    }
    const layer = make("g", {})
    for (const { x, y, heading, lines } of points) {
      const most = Math.floor((Math.min(width, 420) - 4 * pad) / letter)
      const texts = [heading, ...lines].map((text) => wrap(text, most))
      const rows = texts.flat()
      const box = {
        width: Math.max(...rows.map(({ length }) => length)) * letter + 2 * pad,
        height: rows.length * line + 2 * pad,
      }
      const left = Math.max(2, Math.min(width - box.width - 2, x - box.width / 2))
      const top = y - 16 - box.height >= 2 ? y - 16 - box.height : Math.min(y + 16, height - box.height - 2)
      const point = make("g", {
        class: pointClass,
        tabindex: isTabStop ? 0 : -1,
        role: "img",
        "aria-label": `${heading}. ${lines.join(". ")}`,
      })
      const hidden = { visibility: "hidden", "pointer-events": "none", "aria-hidden": "true" }
      const details = make("g", { "text-anchor": "start", "font-size": 12, ...hidden })
      details.append(make("rect", { x: left, y: top, ...box, rx: 5, fill: greys.paper, stroke: greys.lead }))
      rows.forEach((text, i) => {
        const isHeading = i < (texts[0]?.length ?? 0)
        const place = { x: left + pad, y: top + pad + (i + 0.75) * line, fill: greys.ink }
        const written = make("text", { ...place, ...(isHeading && { "font-weight": 600 }) })
        written.textContent = text
        details.append(written)
      })
      point.append(make("circle", { cx: x, cy: y, r: 12, fill: "none", "pointer-events": "all" }), details)
      layer.append(point)
    }
    return layer
  }
}

/** Wraps a text at spaces into lines of at most `most` letters. A longer word gets a line of its own. */
function wrap(text: string, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
