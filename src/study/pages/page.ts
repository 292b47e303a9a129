import type { Table } from "../../kernels/table.ts"
import type { FigureLink } from "../study.ts"

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "")
}

/** The CSS class for the state of a check. */
export const stateClass = (state: string) => state.replaceAll(" ", "-")

/** HTML that is safe to insert into a page. `html` escapes everything else. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Markup | readonly Markup[]

/** A template. It escapes every value that is not `Markup`. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  const pieces = strings.map((text, i) => (i === 0 ? "" : render(values[i - 1] ?? "")) + text)
  return new Markup(pieces.join(""))
}

function render(value: Piece): string {
  if (value instanceof Markup) return value.text
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value))
  return value.map(({ text }) => text).join("\n")
}

const style = `
:root {
  color-scheme: light dark; --paper: #fff; --ink: #1d2433; --soft: #5b6475; --line: #d9dee7; --good: #1a7f4b;
  --bad: #b3261e; --open: #8a5a00; --link: #0b57d0; --first: #0072b2; --second: #e69f00
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171d; --ink: #e6e9ef; --soft: #a3acbb; --line: #343b47; --good: #58c98b; --bad: #ff8a80;
    --open: #f0b849; --link: #8ab4f8; --first: #4c9be0; --second: #f0b849
  }
}
* { box-sizing: border-box }
body {
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2.5rem auto; padding: 0 1.25rem
}
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem }
p { margin: .5rem 0 }
a { color: var(--link) }
.soft { color: var(--soft) }
small { color: var(--soft) }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .92rem; display: block; overflow-x: auto }
th, td { text-align: left; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
th { font-weight: 600; color: var(--soft) }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
td.number, td > a { white-space: nowrap }
.passed { color: var(--good); font-weight: 600 }
.failed { color: var(--bad); font-weight: 600 }
.not-checked { color: var(--open); font-weight: 600 }
.not-promised { color: var(--soft) }
.passed, .failed, .not-checked, .not-promised { white-space: nowrap }
.verdict span { white-space: normal }
figure { margin: 1.2rem 0 2rem }
figure svg { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px }
figcaption { color: var(--soft); font-size: .92rem; margin-top: .4rem }
.beside {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); gap: 0 2rem;
  align-items: start
}
.beside > * { min-width: 0 }
figure.narrow { margin: .6rem 0 1rem }
figure.narrow svg { width: 100%; max-width: 26rem; border: 0 }
.slim { display: none }
.slim svg { width: 100%; max-width: 32rem }
.key { margin-right: 1rem }
.key::before {
  content: ""; display: inline-block; width: .75em; height: .75em; margin-right: .4em; background: var(--first)
}
.key.second::before { background: var(--second) }
@media screen and (max-width: 44rem) {
  .wide { display: none }
  .slim { display: block }
}
@media (max-width: 30rem) {
  body { padding: 0 .8rem }
  table { font-size: .8rem }
  th, td { padding-right: .45rem }
}
code { font: .88em ui-monospace, "SFMono-Regular", Menlo, monospace; overflow-wrap: anywhere }
details summary { cursor: pointer; color: var(--soft) }
.verdict {
  border: 1px solid var(--line); border-left-width: 6px; border-radius: 6px; padding: .7rem 1rem; margin: 1rem 0
}
.verdict.passed { border-left-color: var(--good) }
.verdict.failed { border-left-color: var(--bad) }
.verdict.not-checked { border-left-color: var(--open) }
.signature { display: flex; gap: 2rem; margin-top: 2.5rem }
.signature div { flex: 1; border-top: 1px solid var(--ink); padding-top: .3rem; color: var(--soft); font-size: .9rem }
.pair {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.25rem; margin: 1rem 0
}
.card { border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.2rem }
.big { font-size: 2.8rem; line-height: 1.1; font-variant-numeric: tabular-nums }
.dots { width: 100%; max-width: 22rem; margin: .7rem 0 .3rem; display: block }
.dots .hidden { fill: var(--line) }
.dots .found { fill: currentColor }
#shapes td code { display: inline-block; min-width: 7rem }
ul.tree { list-style: none; padding: 0 }
ul.tree s { color: var(--bad) }
.paper { display: none }
pre { margin: .6rem 0; white-space: pre-wrap }
.name code { white-space: nowrap }
@page { size: A4; margin: 16mm 15mm }
@media print {
  :root {
    color-scheme: light; --paper: #fff; --ink: #1d2433; --soft: #4b5363; --line: #c9cfd9; --good: #1a7f4b;
    --bad: #b3261e; --open: #8a5a00; --link: #0b57d0
  }
  body { margin: 0; padding: 0; max-width: none; font-size: 10.5pt }
  .screen { display: none }
  .paper { display: block }
  table { display: table; font-size: 8.5pt }
  thead { display: table-header-group }
  h1 { font-size: 17pt }
  h2 { font-size: 12.5pt; margin: 1.2rem 0 .3rem }
  h2 { break-after: avoid }
  figure, tr, .verdict, .signature { break-inside: avoid }
  a { color: inherit; text-decoration: none }
}
`

/** A self-contained page; `more` is extra CSS. */
export function page(title: string, body: Markup, more = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapeHtml(title)}</title>
<style>${style}${more}</style>
</head>
<body>
${body.text}
</body>
</html>
`
}

/**
 * Formats a number for readers: counts as integers, shares and rates with four decimals or in scientific notation,
 * large means with one decimal.
 */
export function formatCell(value: string | number): string {
  if (typeof value === "string") return value
  if (value !== 0 && Math.abs(value) < 0.00005) return value.toExponential(1)
  if (Math.abs(value) >= 100) return value.toLocaleString("en", { maximumFractionDigits: 1 })
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(4)
}

/** A table. The cells of one column may be links. */
export function htmlTable(table: Table, link?: FigureLink): Markup {
  const numeric = table.columns.map(
    (_, column) =>
      table.rows > 0 &&
      Array.from({ length: table.rows }, (_, row) => table.cell(row, column)).every(
        (cell) => typeof cell === "number" || cell === "",
      ),
  )
  const cellClass = (column: number) => (numeric[column] ? new Markup(' class="number"') : new Markup(""))
  const head = table.columns.map((name, column) => html`<th${cellClass(column)}>${name}</th>`)
  const body = Array.from({ length: table.rows }, (_, row) => {
    const cells = table.columns.map((name, column) => {
      const text = formatCell(table.cell(row, column))
      const target = name === link?.column ? link.to(row) : undefined
      return html`<td${cellClass(column)}>${target === undefined ? text : html`<a href="${target}">${text}</a>`}</td>`
    })
    return html`<tr>${cells}</tr>`
  })
  return html`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}
