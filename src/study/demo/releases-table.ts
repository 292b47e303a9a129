import { count } from "../../kernels/number-words.ts"
import { type ProbeOutcome, scoresOf } from "../../probes/run-probes.ts"
import { findScore, type Score, type ScoreKey } from "../../probes/score.ts"
import { html, type Markup } from "../pages/page.ts"
import { type AttackVerdict, attackVerdict, defaultRisk } from "../report/attack-verdict.ts"
import type { PromiseVerdict } from "../report/promise-verdict.ts"
import { percent } from "../report/words.ts"
import type { ShownRelease } from "./demo-page.ts"

/** The scores that the page shows. */
const shown = {
  record: { probe: "profile", score: "record" },
  name: { probe: "profile", score: "name" },
  informed: { probe: "membership", score: "informed" },
  member: { probe: "membership", score: "membership" },
  secrets: { probe: "secrets", score: "secrets", at: { kind: undefined } },
  events: { probe: "events-kept", score: "events-kept" },
  top: { probe: "top-queries", score: "top-queries", at: { top: 100 } },
  suggestions: { probe: "suggestions", score: "suggestions" },
} satisfies Record<string, ScoreKey>

/** One score that the page shows; undefined if it was not computed. */
export const findShown = (outcomes: readonly ProbeOutcome[], key: keyof typeof shown): Score | undefined =>
  findScore(scoresOf(outcomes), shown[key])

/** On a narrow page each release is a card: its name, then one line per column. */
export const releasesStyle = `
table.releases { font-size: .86rem }
.releases th, .releases td { padding-right: .5rem }
.releases .state { font-weight: 600; min-width: 6.5rem }
.releases .state small { font-weight: 400; display: block }
.releases td.number { min-width: 4rem }
.releases .good { color: var(--good) }
.releases .warn { color: var(--open) }
.releases .bad { color: var(--bad) }
@media (max-width: 50rem) {
  .releases .wide { display: none }
  .releases, .releases tbody, .releases tr, .releases td { display: block }
  .releases thead { display: none }
  .releases tr { border: 1px solid var(--line); border-radius: 8px; padding: .7rem .9rem; margin: .8rem 0 }
  .releases td { border: 0; padding: .15rem 0; white-space: normal }
  .releases td[data-label] { display: flex; justify-content: space-between; gap: 1rem; text-align: right }
  .releases td[data-label]::before {
    content: attr(data-label); color: var(--soft); font-weight: 400; text-align: left
  }
  .releases td:first-child { font-size: 1.05rem; padding-bottom: .4rem }
}
`

const columns = [
  "method",
  "promise kept",
  "attacks",
  "searches linked",
  "names linked",
  "secrets",
  "searches kept",
  "top queries",
  "next search",
] as const

/** Every release with both verdicts and its main scores, below the raw log. */
export function releasesTable(releases: readonly ShownRelease[], raw: readonly ProbeOutcome[]): Markup {
  const rawRow = html`<tr><td>the raw log<br><small>ids replaced by random names</small></td>
<td class="state" data-label="promise kept">–</td>${attackCell(attackVerdict(raw))}${riskCells(raw)}
${numberCell("secrets", shareOf(findShown(raw, "secrets")))}
${numberCell("searches kept", percent(1))}
${numberCell("top queries", percent(1))}
${numberCell("next search", percent(1))}</tr>`
  const rows = releases.map(({ manifest, promise, attacked, attacks, measures, report, idea }) => {
    return html`<tr><td><a href="${report}">${manifest.method}</a><br><small>${idea}</small></td>
${promiseCell(promise, attacked)}${attackCell(attacked)}${riskCells(attacks)}
${numberCell("secrets", shareOf(findShown(attacks, "secrets")))}
${numberCell("searches kept", shareOf(findShown(measures, "events")))}
${numberCell("top queries", shareOf(findShown(measures, "top")))}
${numberCell("next search", ofLog(findShown(measures, "suggestions")))}</tr>`
  })
  const heads = columns.map((name, i) => (i < 3 ? html`<th>${name}</th>` : html`<th class="number">${name}</th>`))
  return html`<table class="releases"><thead><tr>${heads}</tr></thead>
<tbody>${rawRow}${rows}</tbody></table>`
}

type ColumnName = (typeof columns)[number]

const numberCell = (label: ColumnName, text: string) => html`<td class="number" data-label="${label}">${text}</td>`

/** Green only if the attacks found nothing either: a promise can be kept and still help little. */
function promiseCell({ kept, empty }: PromiseVerdict, { state }: AttackVerdict): Markup {
  const word = empty && kept !== "no" ? "empty release" : kept
  const isGood = kept === "yes" && !empty && state === "nothing above chance"
  const colour = isGood ? "good" : kept === "no" ? "bad" : kept === "yes" && !empty ? "" : "warn"
  return html`<td class="state ${colour}" data-label="promise kept">${word}</td>`
}

const attackColours: Record<AttackVerdict["state"], string> = {
  "nothing above chance": "good",
  "above chance": "warn",
  "over the accepted risk": "bad",
  "not attacked": "warn",
}

function attackCell({ state, worst }: AttackVerdict): Markup {
  const gained = worst === undefined ? "" : `${worst.name}: gain ${worst.gain.toFixed(2)}`
  const words = html`<span>${state}<small>${gained}</small></span>`
  return html`<td class="state ${attackColours[state]}" data-label="attacks">${words}</td>`
}

/** What the columns mean, and their caveats. */
export function columnNotes(releases: readonly ShownRelease[], raw: readonly ProbeOutcome[]): Markup {
  const outcomes = [raw, ...releases.map(({ attacks }) => attacks)]
  const guesses = outcomes.flatMap((attacks) =>
    (["record", "name"] as const).map((unit) => findShown(attacks, unit)?.baseline ?? 0),
  )
  return html`<ul class="soft">
<li><b>Promise kept</b>: <i>in part</i> means that nothing failed, but not everything can be checked in the files.
An <i>empty release</i> keeps any promise and is worth nothing.</li>
<li><b>Attacks</b>: how much the worst score of all attacks gained over a guess (0: nothing, 1: always right).
<i>Above chance</i> is more than a guess; <i>over the accepted risk</i> is a gain of more than ${defaultRisk}.
A promise covers only what it says, so attacks may find something although the promise is kept.</li>
<li><b>Searches and names linked</b>: how often an attacker finds the right person for a search, or for a name. The
attacker knows what each person searched for in the first two thirds of the time. A blind guess is right for at most
${percent(Math.max(...guesses))}. Tables of counts name nobody. There the attacker says whether a person was in the log
at all, and the number is the advantage over a guess (0 %: none, 100 %: certainty).</li>
<li><b>Secrets</b>: the share of planted texts that can be read in the release.</li>
<li><b>Searches kept</b>: the share of all searches. <b>Top queries</b>: how many of the log’s hundred most frequent
queries are also among the release’s.</li>
<li><b>Next search</b>: how well the next search is suggested from the release, in percent of how well from the log.
Without any order, queries that are frequent or share words are still suggested.</li>
<li>A dash means that there was nothing to try. <i>Counts</i> is for larger logs: among so few people, the noise that
hides one person also hides most queries.</li>
</ul>`
}

/** Two cells. Tables name nobody, so they have one cell that spans both columns. */
function riskCells(attacks: readonly ProbeOutcome[]): Markup {
  const informed = findShown(attacks, "informed") ?? findShown(attacks, "member")
  const record = findShown(attacks, "record")
  if (record === undefined && informed !== undefined) {
    const advantage = percent(Math.max(0, informed.value))
    return html`<td class="number" colspan="2" data-label="in the log or not">
<span class="wide">in the log or not: </span>${advantage}</td>`
  }
  const name = findShown(attacks, "name")
  return html`${numberCell("searches linked", linked(record))}${numberCell("names linked", linked(name))}`
}

const linked = (score: Score | undefined) => (score === undefined || score.n === 0 ? "–" : percent(score.value))

/** The score as a percentage of the log's own score, in whole percent: the interval supports no more digits. */
const ofLog = (score: Score | undefined) =>
  score === undefined || !score.baseline ? "–" : `${count((100 * score.value) / score.baseline)}\u00a0%`

const shareOf = (score: Score | undefined) => (score === undefined ? "–" : percent(score.value))
