import type { Figure } from "../study.ts"
import { darkRules, greys } from "./colours.ts"
import { detailRules, pointClass } from "./details.ts"

/** Width of a drawing that can be read on a phone without scaling. */
export const narrowWidth = 360

const titleMark = "the title of the figure"
const entities: Record<string, string> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" }
const escapeXml = (text: string) => text.replace(/[<>&"]/g, (character) => entities[character] ?? "")

/** Draws a figure as a self-contained SVG document without a script. It is light or dark as the reader prefers. */
export async function drawFigure(figure: Figure, options: { isNarrow?: boolean } = {}): Promise<string> {
  const { isNarrow = figure.isSmall ?? false } = options
  // Imported here, not at the top: most commands draw nothing and should start at once.
  const [Plot, { parseHTML }] = await Promise.all([import("@observablehq/plot"), import("linkedom")])
  const { document } = parseHTML("<html><body></body></html>")
  const drawn = Plot.plot({
    width: isNarrow ? narrowWidth : 640,
    height: isNarrow ? 300 : 360,
    marginLeft: 56,
    marginBottom: 44,
    style: { fontFamily: "system-ui, sans-serif", fontSize: "12px", background: greys.paper, color: greys.ink },
    ...figure.plot?.(figure.data, { Plot, isNarrow }),
    document,
  })
  // With a legend the library wraps several drawings in a <figure>. Our drawings carry their labels inside, so there is
  // only one.
  const svg = drawn.tagName.toLowerCase() === "svg" ? drawn : drawn.querySelector("svg:last-of-type")
  if (svg === null) throw new Error(`figure ${figure.id} has no drawing`)
  const hasPoints = svg.querySelector(`.${pointClass}`) !== null
  svg.classList.add("drawing")
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg")
  svg.setAttribute("xmlns:xlink", "http://www.w3.org/1999/xlink")
  // A drawing with role "img" cannot have parts that receive focus.
  svg.setAttribute("role", hasPoints ? "group" : "img")
  // The document serialises attributes as HTML does, where < needs no escape. In XML it needs one.
  svg.setAttribute("aria-label", titleMark)
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style")
  style.textContent = `${hasPoints ? detailRules : ""}${darkRules(svg.outerHTML)}`
  svg.append(style)
  return svg.outerHTML.replace(titleMark, escapeXml(figure.title))
}
