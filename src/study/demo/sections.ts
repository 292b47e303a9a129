import { count } from "../../kernels/number-words.ts"
import { tableOf } from "../../kernels/table.ts"
import type { Exposed, SeedTopic } from "../../personal/proxy/answers.ts"
import { withheldMeanings } from "../../stream/live/core-options.ts"
import type { StreamFigures } from "../../stream/live/stream-figures.ts"
import { html, htmlTable, type Markup } from "../pages/page.ts"

/** The meaning of each reason to withhold; the stream figures have the reasons as plain strings. */
const meanings: Readonly<Record<string, string>> = withheldMeanings

/** What happened to searches that came in one after the other. */
export function streamSection({ k, depth, lines, taken, released, waiting, cells, withheld }: StreamFigures): Markup {
  const rows: (string | number)[][] = [
    ["arrived", lines - 1],
    ...Object.entries(withheld).map(([reason, number]) => [`withheld: ${meanings[reason] ?? reason}`, number]),
    ["taken", taken],
    ["released under the name of another user of the same topic", released],
    ["still waiting for enough others", waiting],
  ]
  return html`<h2>While people search</h2>
<p>This is <i>swap</i>, live. A search waits until ${k} other users have searched within its topic (level ${depth} of
the tree). Then all ${k + 1} searches leave together as a cell, each under the name of another user. The stream ran over
the log’s first searches in the order of their times, with its journal. ${count(cells)} cells closed.
<a href="stream/released.tsv">What was released</a>.</p>
${htmlTable(tableOf(["searches", "number"], rows))}
<p><code>queryveil stream run --k ${k} --depth ${depth} --store store --input searches.tsv -o released.tsv</code></p>`
}

/** What is sent with one query of one person. */
export function exposureSection(exposed: Exposed): Markup {
  const { query, seed, risk, delta, dp, dpWithout } = exposed
  const items = seed.map((topic) => topicLine(topic, depthOf(topic)))
  return html`<h2>On the searcher’s own machine</h2>
<p>A person has read much about celebrations, and a little about a political party, which they keep private. They search
for “${query}”. The engine may know that they mean the celebration. It is shown the topics in bold. Topics that are
struck out stay on the person’s machine.</p>
<ul class="tree">${items}</ul>
<p>How well the query says what is meant (1: exactly): ${dpWithout.toFixed(2)} by itself, ${dp.toFixed(2)} with the
shown topics. Risk: ${(risk ?? 0).toFixed(3)}, of at most ${delta} allowed.</p>
<p><code>queryveil personal serve</code></p>`
}

const depthOf = ({ path }: SeedTopic) => (path === "" ? 0 : path.split("/").length)

function topicLine({ name, path, exposed, sensitive }: SeedTopic, depth: number): Markup {
  const text = path === "" ? "everything" : name
  const mark = sensitive > 0 ? html` <small>(marked sensitive)</small>` : html``
  const shown = exposed ? html`<b>${text}</b>` : html`<s>${text}</s>`
  return html`<li style="margin-left:${depth * 1.2}rem">${shown}${mark}</li>`
}

/** Where all the files are. */
export function filesSection(release: string): Markup {
  return html`<h2>The files</h2>
<ul>
<li><a href="log.tsv">log.tsv</a>: the synthetic log; a real log stays with its owner</li>
<li><a href="truth/secrets.tsv">truth/secrets.tsv</a> and <a href="truth/topics.tsv">topics.tsv</a>: its planted secrets
and true topics</li>
<li><a href="${release}/log.tsv">${release}/log.tsv</a> and <a href="${release}/release.json">release.json</a>: what
would be published</li>
<li><a href="${release}.receipt.json">${release}.receipt.json</a>: for the owner only</li>
</ul>`
}
