import { attacks } from "../../attacks/registry.ts"
import { measures } from "../../measures/registry.ts"
import type { AnyProbe } from "../../probes/probe.ts"
import { type ProbeOutcome, scoresOf } from "../../probes/run-probes.ts"
import type { Check } from "../../verify/verifier.ts"
import { formatCell, html, htmlTable, Markup, page, stateClass } from "../pages/page.ts"
import { attackSentences, untried } from "./attack-sentences.ts"
import type { ReportContent } from "./compose-report.ts"
import { measureSentences } from "./measure-sentences.ts"
import { numbersInWords, unitInWords } from "./promise-in-words.ts"
import { parametersTable, provenance } from "./provenance.ts"
import { type SentenceRule, sayScores } from "./say-scores.ts"
import { scoresTable } from "./scores-table.ts"
import { verdictOf } from "./verdict.ts"

const nothing = new Markup("")
const minute = (time: string) => `${time.slice(0, 16).replace("T", " ")} UTC`

/** A release with its checks, attacks and measures, as one page that a privacy officer can sign. */
export function reportPage(content: ReportContent): string {
  const { manifest, checks, folder, against } = content
  const { guarantee } = manifest
  const { state, sentence } = verdictOf(manifest, checks)
  return page(
    `Report on a release: ${manifest.method}`,
    html`<header><h1>Report on a release</h1>
<p class="soft">${folder} · method <code>${manifest.method}</code> · release <code>${manifest.id}</code> · made ${minute(manifest.created)}</p></header>
<div class="verdict ${stateClass(state)}"><span class="${stateClass(state)}">${sentence}</span></div>
<p class="soft">That is about the promise alone. ${against ? "What attacks found in spite of it stands below, and what it does not cover." : "Nothing was attacked: that needs the original log."}</p>
<h2>What was promised</h2>
<p>${guarantee.statement}</p>
<p>Protected is ${unitInWords(manifest)}.</p>
${list("", numbersInWords(manifest))}
<h2>How it was checked</h2>
${checksTable(checks)}
<h2>What was attacked, and with what result</h2>
${section(content.attacks, { all: attacks, rules: attackSentences, against })}
<h2>What was lost</h2>
${section(content.measures, { all: measures, rules: measureSentences, against })}
<h2>What is not protected</h2>
<p>The promise does not cover:</p>
${list("uncovered", guarantee.notCovered)}
<p>No attack of this report tries:</p>
${list("untried", untried)}
<h2>Parameters</h2>
${parametersTable(manifest)}
<h2>Fingerprints</h2>
${provenance(content)}
<p class="soft">This page was made on ${minute(content.created.toISOString())}. Scores against the original describe the log: the page is for its owner, not for publication.</p>
<div class="signature"><div>Name</div><div>Date</div><div>Signature</div></div>`,
  )
}

const list = (kind: string, items: readonly string[]) =>
  html`<ul class="${kind}">${items.map((item) => html`<li>${item}</li>`)}</ul>`

function checksTable(checks: readonly Check[]): Markup {
  const rows = checks.map((check) => {
    const { state, promise, value, bound, row, detail, needs } = check
    const found = [
      value === undefined ? "" : `${formatCell(value)}${bound === undefined ? "" : ` (bound ${formatCell(bound)})`}`,
      row === undefined ? "" : `row ${formatCell(row)}`,
      detail ?? "",
      needs === undefined ? "" : `needs ${needs === "against" ? "the original log" : "the audit folder"}`,
    ].filter((part) => part !== "")
    return html`<tr><td class="${stateClass(state)}">${state}</td><td>${promise}</td><td>${found.join("; ")}</td></tr>`
  })
  return html`<table><thead><tr><th>state</th><th>check</th><th>found</th></tr></thead><tbody>${rows}</tbody></table>`
}

/** In plain words first; then every score, folded away on the screen and open on paper; then what was not done, and why. */
function section(
  outcomes: readonly ProbeOutcome[],
  { all, rules, against }: { all: readonly AnyProbe[]; rules: readonly SentenceRule[]; against: boolean },
): Markup {
  if (!against) return html`<p class="soft">Not made: this needs the original log.</p>`
  const scores = scoresOf(outcomes)
  const skipped = outcomes.flatMap((outcome) => ("skipped" in outcome ? [`${outcome.probe}: ${outcome.skipped}`] : []))
  const unasked = all.filter(({ name }) => !outcomes.some(({ probe }) => probe === name))
  const missing = [...skipped, ...unasked.map(({ name }) => `${name}: was not asked for`)]
  const table = htmlTable(scoresTable(scores))
  const folded = html`<details class="screen"><summary>All ${scores.length} scores</summary>${table}</details><div class="paper">${table}</div>`
  return html`${list("findings", sayScores(outcomes, rules))}
${scores.length === 0 ? nothing : folded}
${missing.length === 0 ? nothing : html`<p class="soft">Not made:</p>${list("soft", missing)}`}`
}
