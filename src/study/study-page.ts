import { drawFigure } from "./draw.ts"
import { html, htmlTable, Markup, page } from "./page.ts"
import type { StudyRun } from "./run-study.ts"
import type { Figure, PointResult } from "./study.ts"

/** The study as one page: every figure inline, the numbers behind it folded away and linked as CSV. */
export async function studyPage(
  run: StudyRun,
  results: readonly PointResult[],
  figures: readonly Figure[],
): Promise<string> {
  const { study, subject } = run
  const sections: Markup[] = []
  for (const figure of figures) {
    const cites = figure.cites === undefined ? "" : ` After ${figure.cites}.`
    sections.push(html`<section id="${figure.id}"><h2>${figure.title}</h2>
<figure>${new Markup(await drawFigure(figure))}<figcaption>${figure.caption}${cites} <a href="data/${figure.id}.csv">CSV</a> · <a href="figures/${figure.id}.svg">SVG</a></figcaption></figure>
<details><summary>The numbers</summary>${htmlTable(figure.data)}</details></section>`)
  }
  const { log } = subject
  const size = `${log.rows.toLocaleString("en")} rows, ${log.events.toLocaleString("en")} events, ${log.users.size.toLocaleString("en")} users, ${log.queries.size.toLocaleString("en")} distinct queries`
  return page(
    `Study: ${study.name}`,
    html`<header><h1>Study: ${study.name}</h1><p class="soft">${study.summary}</p>
<p>${results.length} points on a log of ${size}; seed ${run.seed}. This page describes the log: it is for its owner.</p></header>
${sections}`,
  )
}
