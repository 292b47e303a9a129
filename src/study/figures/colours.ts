/**
 * Colours that colour-blind readers and print can distinguish (Okabe & Ito), each with its counterpart on a dark page.
 */
const series: Readonly<Record<string, string>> = {
  "#0072b2": "#4c9be0",
  "#d55e00": "#ff8a3d",
  "#009e73": "#2fc79a",
  "#cc79a7": "#e59cc5",
  "#e69f00": "#f0b849",
  "#56b4e9": "#a5dcff",
  "#000000": "#f2f4f8",
}
export const palette: readonly string[] = Object.keys(series)

/** Colours of everything that is not a series. `paper` is the background of the page. */
export const greys = {
  paper: "#ffffff",
  ink: "#222222",
  soft: "#555555",
  lead: "#999999",
  frame: "#cccccc",
} as const

const darkGreys: Readonly<Record<string, string>> = {
  [greys.paper]: "#14171d",
  [greys.ink]: "#e6e9ef",
  [greys.soft]: "#a9b2c0",
  [greys.lead]: "#7b8595",
  [greys.frame]: "#3b4350",
}

/** The colour that replaces this one on a dark page; undefined if it stays. */
function darkOf(colour: string): string | undefined {
  const hue = /^hsl\((\d+), 75%, 40%\)$/.exec(colour)?.[1]
  return hue === undefined ? (series[colour] ?? darkGreys[colour]) : `hsl(${hue}, 85%, 70%)`
}

/** The colour of one of many curves, from blue to red in their order. */
export function hueOf(place: number, count: number): string {
  return `hsl(${Math.round(235 - (235 * place) / (count - 1))}, 75%, 40%)`
}

/**
 * CSS rules that show an SVG document of class `drawing` in dark colours if the reader prefers them, and never in
 * print. Colours are attributes, which every program draws; the rules replace each by its counterpart.
 */
export function darkRules(svg: string): string {
  const used = new Set(Array.from(svg.matchAll(/ (?:fill|stroke)="([^"]+)"/g), ([, colour = ""]) => colour))
  const rules = [...used].flatMap((colour) => {
    const dark = darkOf(colour)
    if (dark === undefined) return []
    return [`.drawing [fill="${colour}"]{fill:${dark}}`, `.drawing [stroke="${colour}"]{stroke:${dark}}`]
  })
  const ground = `.drawing{background:${darkOf(greys.paper)}!important;color:${darkOf(greys.ink)}!important}`
  return `@media screen and (prefers-color-scheme:dark){${[ground, ...rules].join("")}}`
}
