import { count } from "../../kernels/number-words.ts"
import { type KindShapes, leastOfShape } from "../../log/identifier-shapes.ts"
import { defaultKinds, kindBit } from "../../text/identifiers/kinds.ts"
import { html, type Markup } from "../pages/page.ts"

/** What scrubbing would withhold, by kind. It shows the shapes of the queries, never their text. */
export function shapesSection(kinds: readonly KindShapes[], users: string): Markup {
  if (kinds.length === 0) return html``
  return html`<section id="shapes"><h2>What scrubbing would withhold</h2>
<p>A release leaves these queries out. <code>--scrub default</code> withholds all kinds except names of persons;
<code>--scrub all</code> withholds names, too. (<code>affinity</code> has its own rule for names.)</p>
<p>Each query is masked. Every digit is shown as #, and every word as •••, whatever its length. Only a fixed list of
words stays, such as <i>phone</i> or <i>street</i>. A shape is shown if at least ${leastOfShape} ${users} have it.</p>
<table><thead><tr><th>kind</th><th>withheld by</th><th>shape</th>
<th class="number">distinct queries</th><th class="number">${users}</th></tr></thead>
<tbody>${kinds.flatMap((kind) => rowsOf(kind))}</tbody></table></section>`
}

function rowsOf({ kind, shapes, otherQueries }: KindShapes): Markup[] {
  const scrub = (kindBit(kind) & defaultKinds) === 0 ? "all" : "default, all"
  const cells = [
    ...shapes.map(
      ({ shape, queries, users }) => [html`<code>${shape}</code>`, queries, users === 0 ? "" : count(users)] as const,
    ),
    ...(otherQueries === 0 ? [] : [[html`<span class="soft">other shapes</span>`, otherQueries, ""] as const]),
  ]
  return cells.map(([shape, queries, users], i) => {
    const head = i === 0 ? html`<td>${kind}</td><td>${scrub}</td>` : html`<td></td><td></td>`
    const numbers = html`<td class="number">${count(queries)}</td><td class="number">${users}</td>`
    return html`<tr>${head}<td>${shape}</td>${numbers}</tr>`
  })
}
