import { attacks } from "../../attacks/registry.ts"
import { measures } from "../../measures/registry.ts"
import type { AnyProbe } from "../../probes/probe.ts"
import { type ProbeOutcome, scoresOf } from "../../probes/run-probes.ts"
import { isScore, type Score } from "../../probes/score.ts"
import type { Check } from "../../verify/verifier.ts"
import { formatCell, html, htmlTable, type Markup, stateClass } from "../pages/page.ts"
import { describeMeaning } from "./attack-meanings.ts"
import { attackSentences, untried } from "./attack-sentences.ts"
import type { ReportContent } from "./compose-report.ts"
import { list, nothing } from "./first-page.ts"
import { type JudgedAttack, judgeAttacks } from "./judge-attacks.ts"
import { measureSentences } from "./measure-sentences.ts"
import { numbersInWords } from "./promise-in-words.ts"
import { parametersTable, provenance } from "./provenance.ts"
import { sayScores } from "./say-scores.ts"
import { scoresTable } from "./scores-table.ts"
import { counted } from "./words.ts"

/** The evidence for the first page. The worst attack is first; results at chance are collapsed. */
export function appendix(content: ReportContent): Markup {
  const { manifest, checks } = content
  return html`<section class="appendix"><h1>Appendix</h1>
<h2>What each attack found</h2>
${attackSection(content)}
<h2>How the promise was checked</h2>
${list("", numbersInWords(manifest))}
${checksTable(checks)}
<h2>What was lost</h2>
${measureSection(content)}
<h2>What this report does not try</h2>
${list("untried", untried)}
<h2>Parameters</h2>
${parametersTable(manifest)}
<h2>Provenance</h2>
${provenance(content)}</section>`
}

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

const notRun = html`<p class="soft">Not run: this needs the original log.</p>`

function attackSection({ attacks: outcomes, against, attacked }: ReportContent): Markup {
  if (!against) return notRun
  const { ran, couldNotRun, notAsked } = judgeAttacks(outcomes, attacks)
  const scores = scoresOf(outcomes)
  const described = ran.map((attack) => describeAttack(attack, scores))
  const atChance = described.flatMap(({ folded }) => folded)
  const open = ran.flatMap((attack, i) => {
    const { probe, worst } = attack
    const { value, low, high, isAbove } = worst.gain
    if (!isAbove) return []
    const isOver = value > attacked.acceptedRisk
    const verdict = isOver ? "over the accepted risk" : "above chance"
    const chip = html`<span class="chip ${isOver ? "bad" : "warn"}">${verdict}</span>`
    const interval = `95 % interval ${low.toFixed(2)} to ${high.toFixed(2)}`
    const gained = html`<small>gain ${value.toFixed(2)} (${interval}, ${worst.score.name})</small>`
    return [
      html`<div class="attack"><h3>${probe} ${chip} ${gained}</h3>${list("findings", described[i]?.open ?? [])}</div>`,
    ]
  })
  const results = `${counted(atChance.length, "result")} at chance`
  const folded =
    atChance.length === 0
      ? nothing
      : html`<details class="screen chance"><summary>${results}</summary>${list("findings", atChance)}</details>
<p class="paper">${results}: only in the table below.</p>`
  const missing = [...couldNotRun.map(({ probe, why }) => `${probe}: ${why}`), ...notAsked.map(notRequested)]
  return html`${open}${folded}${allScores(scores)}${notRunList(missing)}`
}

/** The sentences about one attack: results above chance with their explanations, and results at chance. */
function describeAttack(attack: JudgedAttack, scores: readonly Score[]): { open: string[]; folded: string[] } {
  const own = scores.filter(({ probe }) => probe === attack.probe)
  const judged = new Map(attack.scores.map(({ score, gain }) => [score, gain]))
  const say = (score: Score) => attackSentences.find((rule) => isScore(score, rule))?.say(score, scores)
  const sayAll = (some: readonly Score[]) => some.flatMap((score) => say(score) ?? [])
  const above = attack.scores.filter(({ gain }) => gain.isAbove)
  const found = above.map((one) => say(one.score) ?? describeMeaning(one, { scores, probes: attacks }))
  const atChance = sayAll(own.filter((score) => judged.get(score)?.isAbove === false))
  const context = sayAll(own.filter((score) => !judged.has(score)))
  return above.length === 0 ? separate([], [...atChance, ...context]) : separate([...found, ...context], atChance)
}

/** Keeps each sentence once. One that is in `open` is dropped from `folded`. */
function separate(open: readonly string[], folded: readonly string[]): { open: string[]; folded: string[] } {
  const said = new Set(open)
  return { open: [...said], folded: [...new Set(folded)].filter((sentence) => !said.has(sentence)) }
}

function measureSection({ measures: outcomes, against }: ReportContent): Markup {
  if (!against) return notRun
  const missing = [
    ...outcomes.flatMap((outcome) => ("skipped" in outcome ? [`${outcome.probe}: ${outcome.skipped}`] : [])),
    ...namesNotRequested(measures, outcomes).map(notRequested),
  ]
  const sentences = list("findings", sayScores(outcomes, measureSentences))
  return html`${sentences}${allScores(scoresOf(outcomes))}${notRunList(missing)}`
}

const notRequested = (name: string) => `${name}: not requested`

const namesNotRequested = (all: readonly AnyProbe[], outcomes: readonly ProbeOutcome[]) =>
  all.map(({ name }) => name).filter((name) => !outcomes.some(({ probe }) => probe === name))

/** Every score: collapsed on the screen, expanded in print. */
function allScores(scores: readonly Score[]): Markup {
  if (scores.length === 0) return nothing
  const table = htmlTable(scoresTable(scores))
  return html`<details class="screen scores"><summary>All ${scores.length} scores</summary>${table}</details>
<div class="paper">${table}</div>`
}

const notRunList = (missing: readonly string[]) =>
  missing.length === 0 ? nothing : html`<p class="soft">Not run:</p>${list("soft", missing)}`
