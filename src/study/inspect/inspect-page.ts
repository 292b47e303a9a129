import { count } from "../../kernels/number-words.ts"
import type { Table } from "../../kernels/table.ts"
import type { KindShapes } from "../../log/identifier-shapes.ts"
import type { Inspection } from "../../log/inspect-log.ts"
import type { Unit } from "../../log/search-log.ts"
import { drawFigure } from "../figures/draw.ts"
import { html, Markup, page } from "../pages/page.ts"
import { inspectFigures } from "./inspect-figures.ts"
import { shapesSection } from "./shapes-section.ts"
import { strongestSentence } from "./strongest-sentence.ts"

const ngramNames = ["unigrams", "bigrams", "trigrams"]
const percent = (share: number) => (share > 0 && share < 0.00005 ? "<0.01 %" : `${(100 * share).toFixed(2)} %`)
const percentOf = (part: number, whole: number) => percent(whole === 0 ? 0 : part / whole)
const utc = (text: string) => text.slice(0, 19).replace("T", " ")

/**
 * An inspection as a page: the strongest sentence, the numbers, a figure for each, and masked queries. For the owner of
 * the log.
 */
export async function inspectPage(
  inspection: Inspection,
  options: { created: Date; readings?: readonly string[]; unit?: Unit; shapes: readonly KindShapes[] },
): Promise<string> {
  const { size, time, ngrams } = inspection
  const users = `${options.unit ?? "user"}s`
  const figures = new Map<string, Markup>()
  for (const figure of inspectFigures(inspection)) {
    const cites = figure.cites === undefined ? "" : ` After ${figure.cites}.`
    const drawing = new Markup(await drawFigure(figure, { isNarrow: true }))
    const words = html`<b>${figure.title}.</b> ${figure.caption}${cites}`
    const caption = html`<figcaption>${legend(figure.data)}${words}</figcaption>`
    figures.set(figure.id, html`<figure class="narrow" id="${figure.id}">${drawing}${caption}</figure>`)
  }
  const section = (title: string, table: Markup, id: string) =>
    html`<section><h2>${title}</h2><div class="beside"><div>${table}</div>${figures.get(id) ?? ""}</div></section>`
  const least = `${count(ngrams.leastUsers)} ${ngrams.leastUsers === 1 ? "user" : "users"}`
  return page(
    "A search log, inspected",
    html`<header><p class="soft">A search log, inspected</p><h1>${strongestSentence(inspection, options.unit)}</h1>
<p class="soft">Made on ${utc(options.created.toISOString()).slice(0, 16)} UTC.</p></header>
<div class="verdict"><span class="not-checked">Private: this page describes the log.</span> It has counts and shapes of
queries, but no query and no user id. Where few users are behind a count, it can reveal something about one of them.
The page is for the owner of the log, not for publication.</div>
<section><h2>Size</h2>${sizeTable(inspection)}
<p class="soft">An event is one search: one user, one query, one time. Each of its clicks is a row.
${time === null ? "" : "Times are UTC."}</p>
${(options.readings ?? []).map((text) => html`<p class="soft">The log was ${text}</p>`)}</section>
${section("Words in a query", lengthsTable(inspection), "lengths")}
${section("Words in a row (n-grams)", ngramsTable(inspection), "ngrams")}
<p class="soft">An n-gram is frequent if at least ${least} issued it (one in ten thousand of ${count(size.users)},
rounded down), and if it is not made of function words only.</p>
${inspection.exposure === null ? "" : section("Queries of few users", exposureTable(inspection), "exposure")}
${section("Direct identifiers", identifiersTable(inspection), "identifiers")}
${shapesSection(options.shapes, users)}`,
  )
}

/** The names of a figure's two series, each after its colour. */
function legend(data: Table): Markup {
  const of = data.columns.indexOf("of")
  if (of < 0) return html``
  const names = [...new Set(Array.from({ length: data.rows }, (_, row) => String(data.cell(row, of))))]
  const keys = names.map((name, i) => html`<span class="key ${i === 0 ? "first" : "second"}">${name}</span>`)
  return html`<div>${keys}</div>`
}

/** A table with text in the first column and numbers in the others. */
function numbers(columns: readonly string[], rows: readonly (readonly string[])[]): Markup {
  const kind = (column: number) => new Markup(column === 0 ? "" : ' class="number"')
  const head = columns.map((name, column) => html`<th${kind(column)}>${name}</th>`)
  const body = rows.map((row) => html`<tr>${row.map((cell, column) => html`<td${kind(column)}>${cell}</td>`)}</tr>`)
  return html`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}

function sizeTable({ size, time }: Inspection): Markup {
  const rows = [
    ["rows", count(size.rows)],
    ["events", count(size.events)],
    ["users", count(size.users)],
    ["distinct queries", count(size.queries)],
    ["distinct urls", count(size.urls)],
  ]
  if (time !== null) {
    rows.push(["first search", utc(time.first)], ["last search", utc(time.last)], ["days", time.days.toFixed(1)])
  }
  return numbers(["what", "how many"], rows)
}

function lengthsTable({ lengths }: Inspection): Markup {
  return numbers(
    ["words", "distinct queries", "share", "events", "share"],
    lengths.map(({ words, orMore, queries, queryShare, events, eventShare }) => [
      `${words}${orMore ? "+" : ""}`,
      count(queries),
      percent(queryShare),
      count(events),
      percent(eventShare),
    ]),
  )
}

function ngramsTable({ ngrams }: Inspection): Markup {
  return numbers(
    ["n-grams", "unique", "occurrences"],
    [
      ...ngrams.lengths.map(({ n, unique, total }) => [ngramNames[n - 1] ?? `n = ${n}`, count(unique), count(total)]),
      ...ngrams.lengths.map(({ n, frequent }) => [
        `frequent ${ngramNames[n - 1] ?? `n = ${n}`}`,
        count(frequent.unique),
        count(frequent.total),
      ]),
    ],
  )
}

function exposureTable({ exposure, size }: Inspection): Markup {
  if (exposure === null) return html`<p>The log has no users.</p>`
  const table = numbers(
    ["users", "distinct queries", "share", "events", "share"],
    exposure.queries.map(({ fewerThan, queries, queryShare, events, eventShare }) => [
      `under\u00a0${fewerThan}`,
      count(queries),
      percent(queryShare),
      count(events),
      percent(eventShare),
    ]),
  )
  const { users, share } = exposure.usersWithUniqueQuery
  return html`${table}<p>${count(users)} of ${count(size.users)} users (${percent(share)}) issued a query that nobody
else issued.</p>`
}

const sums: Partial<Record<string, string>> = {
  any: "all kinds",
  "any but person": "all kinds but person",
}

function identifiersTable({ identifiers, size }: Inspection): Markup {
  return numbers(
    ["kind", "distinct queries", "events", "rows", "share of rows"],
    identifiers.map(({ kind, queries, events, rows }) => [
      sums[kind] ?? kind,
      count(queries),
      count(events),
      count(rows),
      percentOf(rows, size.rows),
    ]),
  )
}
