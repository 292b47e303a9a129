import type { SearchLog } from "../log/search-log.ts"
import type { ProbeOutcome } from "../release/run-probes.ts"
import { overall } from "../verify/registry.ts"
import { html, page } from "./page.ts"
import type { ReportContent } from "./report/compose-report.ts"

export interface DemoContent {
  made: { rows: number; users: number }
  k: number
  log: SearchLog
  content: ReportContent
  /** The same attacks on the log with nothing but its user ids replaced. */
  attacksOnLog: readonly ProbeOutcome[]
}

const verdicts = {
  holds: "was checked and holds",
  fails: "was checked and does not hold",
  unchecked: "could not be checked in full",
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

function scoreOf(outcomes: readonly ProbeOutcome[], name: string): number {
  for (const outcome of outcomes) {
    const found = "scores" in outcome ? outcome.scores.find((score) => score.name === name) : undefined
    if (found !== undefined) return found.value
  }
  return Number.NaN
}

/** The demo as a story: one attack on the log and on the release, then what was kept and what was checked. */
export function demoPage({ made, k, log, content, attacksOnLog }: DemoContent): string {
  const before = scoreOf(attacksOnLog, "secrets")
  const survived = scoreOf(content.attacks, "secrets")
  const events = scoreOf(content.measures, "events-kept")
  const queries = scoreOf(content.measures, "queries-kept")
  const state = overall(content.checks)
  return page(
    "queryveil: a log, released",
    html`<header><h1>A search log, released without its secrets</h1>
<p class="soft">A made-up log of ${made.rows.toLocaleString("en")} rows by ${made.users.toLocaleString("en")} users, with ${log.queries.size.toLocaleString("en")} distinct queries. No real person is in it.</p></header>
<h2>The same attack, twice</h2>
<p>Some lines carry a planted secret: a name with a town, a card number, an address, or a sentence of common words that tells too much. Whoever searches the files for them finds</p>
<table><thead><tr><th>in</th><th class="number">secrets found</th></tr></thead><tbody>
<tr><td>the raw log, its user ids replaced by numbers</td><td class="number fails">${percent(before)}</td></tr>
<tr><td>the release, k = ${k}</td><td class="number ${survived < before ? "holds" : "fails"}">${percent(survived)}</td></tr></tbody></table>
<h2>What is left to work with</h2>
<p>The release keeps ${percent(events)} of all searches and ${percent(queries)} of the distinct queries. What is lost is what only a few people ever asked.</p>
<h2>What was promised, and checked</h2>
<div class="verdict ${state}">${content.manifest.guarantee.statement} This ${verdicts[state]}.</div>
<p>This protects single queries, not histories. <a href="report.html">The report</a> says what was checked, what was attacked, and what is not protected. <a href="study-equality/index.html">One study</a> shows the same for other values of k; <a href="study-affinity/index.html">another</a> shows what a method that also releases rare refinements of common queries would keep and let through; and <a href="study-swap/index.html">a third</a> what becomes of users who change places within topics, and of those who try to undo it.</p>
<h2>The files</h2>
<ul>
<li><a href="log.tsv">log.tsv</a>: the made-up log, which in real life stays at home; <a href="truth/secrets.tsv">truth/secrets.tsv</a> and <a href="truth/topics.tsv">topics.tsv</a>: what is true about it</li>
<li><a href="release/log.tsv">release/log.tsv</a> and <a href="release/release.json">release.json</a>: what would be published</li>
<li><a href="release.receipt.json">release.receipt.json</a> and <a href="audit/queries.tsv">audit/queries.tsv</a>: for the owner only</li>
</ul>`,
  )
}
