import { count } from "../../kernels/number-words.ts"
import { type KindShapes, leastOfShape } from "../../log/identifier-shapes.ts"
import { defaultKinds, kindBit } from "../../text/identifiers/kinds.ts"
import { html, type Markup } from "../pages/page.ts"

/** What scrubbing would withhold, by kind. It shows the shapes of the queries, never their text. */
export function shapesSection(kinds: readonly KindShapes[], users: string): Markup {
  if (kinds.length === 0) return html``
  return html`<section id="shapes"><h2>What scrubbing would withhold</h2>
<p>A release leaves these queries out: with <code>--scrub default</code> all kinds but names of persons, with <code>--scrub all</code> names too (<code>affinity</code> has a rule of its own for names). Each query is masked: every digit is #, and every word is •••, whatever its length, but for a fixed list of words such as <i>phone</i> or <i>street</i>. A shape is shown if at least ${leastOfShape} ${users} have it.</p>
<table><thead><tr><th>kind</th><th>withheld by</th><th>shape</th><th class="number">distinct queries</th><th class="number">${users}</th></tr></thead>
<tbody>${kinds.flatMap((kind) => rowsOf(kind))}</tbody></table></section>`
}

function rowsOf({ kind, shapes, otherQueries }: KindShapes): Markup[] {
  const scrub = (kindBit(kind) & defaultKinds) === 0 ? "all" : "default, all"
  const cells = [
    ...shapes.map(({ shape, queries, users }) => [html`<code>${shape}</code>`, queries, users === 0 ? "" : count(users)] as const), // biome-ignore format: a row
    ...(otherQueries === 0 ? [] : [[html`<span class="soft">other shapes</span>`, otherQueries, ""] as const]),
  ]
  return cells.map(([shape, queries, users], i) => {
    const head = i === 0 ? html`<td>${kind}</td><td>${scrub}</td>` : html`<td></td><td></td>`
    return html`<tr>${head}<td>${shape}</td><td class="number">${count(queries)}</td><td class="number">${users}</td></tr>`
  })
}
