import type { Figure } from "../study.ts"

/** Colours that stay apart for colour-blind readers and in print (Okabe & Ito). */
export const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]

const titleMark = "the title of the figure"
const entities: Record<string, string> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" }
const escapeXml = (text: string) => text.replace(/[<>&"]/g, (character) => entities[character] ?? "")

/** Draws a figure as a self-contained SVG document. */
export async function drawFigure(figure: Figure): Promise<string> {
  // Loaded here, not above: most commands draw nothing and should start at once.
  const [Plot, { parseHTML }] = await Promise.all([import("@observablehq/plot"), import("linkedom")])
  const { document } = parseHTML("<html><body></body></html>")
  const drawn = Plot.plot({
    width: 640,
    height: 360,
    marginLeft: 56,
    marginBottom: 44,
    style: { fontFamily: "system-ui, sans-serif", fontSize: "12px", background: "white", color: "#222" },
    ...figure.plot?.(figure.data, Plot),
    document,
  })
  // With a legend the library wraps several drawings in a <figure>; ours carry their labels inside, so there is one.
  const svg = drawn.tagName.toLowerCase() === "svg" ? drawn : drawn.querySelector("svg:last-of-type")
  if (svg === null) throw new Error(`figure ${figure.id} has no drawing`)
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg")
  svg.setAttribute("xmlns:xlink", "http://www.w3.org/1999/xlink")
  svg.setAttribute("role", "img")
  // The document writes attributes as HTML does, where < needs no escape; in XML it does.
  svg.setAttribute("aria-label", titleMark)
  return svg.outerHTML.replace(titleMark, escapeXml(figure.title))
}
