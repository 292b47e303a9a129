import { count } from "../../kernels/number-words.ts"
import type { StudyRun } from "../run-study.ts"
import type { Figure, PointResult } from "../study.ts"
import { drawForPage } from "./draw-for-page.ts"
import { html, htmlTable, Markup, page } from "./page.ts"

/** The study as one page. Every figure is inline; its numbers are collapsed below it and linked as CSV. */
export async function studyPage(
  run: StudyRun,
  results: readonly PointResult[],
  all: readonly Figure[],
): Promise<string> {
  const { study, subject } = run
  const notes = study.notes?.(subject, results, run.options) ?? []
  const sections: Markup[] = []
  for (const figures of groupSmall(all)) {
    const drawn: Markup[] = []
    for (const figure of figures) drawn.push(await section(figure))
    sections.push(drawn.length > 1 ? html`<div class="beside">${drawn}</div>` : html`${drawn}`)
  }
  const { log } = subject
  const size = [
    `${count(log.rows)} rows`,
    `${count(log.events)} events`,
    `${count(log.users.size)} users`,
    `${count(log.queries.size)} distinct queries`,
  ].join(", ")
  return page(
    `Study: ${study.name}`,
    html`<header><h1>Study: ${study.name}</h1><p class="soft">${study.summary}</p>
<p>${results.length} points on a log of ${size}; seed ${run.seed}.
Private: this page describes the log. It is for the owner of the log.</p></header>
${notes.length === 0 ? new Markup("") : html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
${sections}`,
  )
}

/** Groups consecutive small figures, so that they appear in one row. */
function groupSmall(figures: readonly Figure[]): Figure[][] {
  const groups: Figure[][] = []
  for (const figure of figures) {
    const last = groups.at(-1)
    if (figure.isSmall && last?.[0]?.isSmall) last.push(figure)
    else groups.push([figure])
  }
  return groups
}

async function section(figure: Figure): Promise<Markup> {
  const { id, title, caption, cites, data } = figure
  const words = html`${caption}${cites === undefined ? "" : ` After ${cites}.`} <a href="data/${id}.csv">CSV</a>`
  if (figure.plot === undefined) {
    return html`<section id="${id}"><h2>${title}</h2>
${htmlTable(data, figure.link)}<p class="soft">${words}</p></section>`
  }
  const size = new Markup(figure.isSmall ? ' class="narrow"' : "")
  return html`<section id="${id}"><h2>${title}</h2>
<figure${size}>${await drawForPage(figure)}
<figcaption>${words} · <a href="figures/${id}.svg">SVG</a></figcaption></figure>
<details><summary>The numbers</summary>${htmlTable(data)}</details></section>`
}
