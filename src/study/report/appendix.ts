import { attacks } from "../../attacks/registry.ts"
import { measures } from "../../measures/registry.ts"
import type { AnyProbe } from "../../probes/probe.ts"
import { type ProbeOutcome, scoresOf } from "../../probes/run-probes.ts"
import { isScore, type Score } from "../../probes/score.ts"
import type { Check } from "../../verify/verifier.ts"
import { formatCell, html, htmlTable, type Markup, stateClass } from "../pages/page.ts"
import { tellMeaning } from "./attack-meanings.ts"
import { attackSentences, untried } from "./attack-sentences.ts"
import type { ReportContent } from "./compose-report.ts"
import { list, nothing } from "./first-page.ts"
import { type JudgedAttack, judgeAttacks } from "./judge-attacks.ts"
import { measureSentences } from "./measure-sentences.ts"
import { numbersInWords } from "./promise-in-words.ts"
import { parametersTable, provenance } from "./provenance.ts"
import { sayScores } from "./say-scores.ts"
import { scoresTable } from "./scores-table.ts"

/** The evidence for the first page. The worst attack is first; results at chance are collapsed. */
export function appendix(content: ReportContent): Markup {
  const { manifest, checks } = content
  return html`<section class="appendix"><h1>Appendix</h1>
<h2>What was attacked, and with what result</h2>
${attackSection(content)}
<h2>How the promise was checked</h2>
${list("", numbersInWords(manifest))}
${checksTable(checks)}
<h2>What was lost</h2>
${measureSection(content)}
<h2>What no attack of this report tries</h2>
${list("untried", untried)}
<h2>Parameters</h2>
${parametersTable(manifest)}
<h2>Where this comes from</h2>
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

const notMade = html`<p class="soft">Not made: this needs the original log.</p>`

function attackSection({ attacks: outcomes, against, attacked }: ReportContent): Markup {
  if (!against) return notMade
  const { ran, couldNotRun, notAsked } = judgeAttacks(outcomes, attacks)
  const scores = scoresOf(outcomes)
  const told = ran.map((attack) => tellAttack(attack, scores))
  const atChance = told.flatMap(({ folded }) => folded)
  const open = ran.flatMap((attack, i) => {
    const { worst, probe } = attack
    if (!worst.gain.isAbove) return []
    const isOver = worst.gain.value > attacked.acceptedRisk
    const chip = html`<span class="chip ${isOver ? "bad" : "warn"}">${isOver ? "over the accepted risk" : "above chance"}</span>`
    return [
      html`<div class="attack"><h3>${probe} ${chip} <small>gain ${worst.gain.value.toFixed(2)} (95 % interval ${worst.gain.low.toFixed(2)} to ${worst.gain.high.toFixed(2)}, ${worst.score.name})</small></h3>${list("findings", told[i]?.open ?? [])}</div>`,
    ]
  })
  const folded =
    atChance.length === 0
      ? nothing
      : html`<details class="screen chance"><summary>${atChance.length} ${atChance.length === 1 ? "result" : "results"} at chance</summary>${list("findings", atChance)}</details>
<p class="paper">${atChance.length} ${atChance.length === 1 ? "result" : "results"} at chance: only in the table below.</p>`
  const missing = [...couldNotRun.map(({ probe, why }) => `${probe}: ${why}`), ...notAsked.map(wasNotAsked)]
  return html`${open}${folded}${allScores(scores)}${notMadeList(missing)}`
}

/** The sentences about one attack: results above chance with their explanations, and results at chance. */
function tellAttack(attack: JudgedAttack, scores: readonly Score[]): { open: string[]; folded: string[] } {
  const own = scores.filter(({ probe }) => probe === attack.probe)
  const judged = new Map(attack.scores.map(({ score, gain }) => [score, gain]))
  const say = (score: Score) => attackSentences.find((rule) => isScore(score, rule))?.say(score, scores)
  const sayAll = (some: readonly Score[]) => some.flatMap((score) => say(score) ?? [])
  const above = attack.scores.filter(({ gain }) => gain.isAbove)
  const found = above.map((one) => say(one.score) ?? tellMeaning(one, { scores, probes: attacks }))
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
  if (!against) return notMade
  const missing = [
    ...outcomes.flatMap((outcome) => ("skipped" in outcome ? [`${outcome.probe}: ${outcome.skipped}`] : [])),
    ...namesNotAsked(measures, outcomes).map(wasNotAsked),
  ]
  const sentences = list("findings", sayScores(outcomes, measureSentences))
  return html`${sentences}${allScores(scoresOf(outcomes))}${notMadeList(missing)}`
}

const wasNotAsked = (name: string) => `${name}: was not asked for`

const namesNotAsked = (all: readonly AnyProbe[], outcomes: readonly ProbeOutcome[]) =>
  all.map(({ name }) => name).filter((name) => !outcomes.some(({ probe }) => probe === name))

/** Every score: collapsed on the screen, expanded in print. */
function allScores(scores: readonly Score[]): Markup {
  if (scores.length === 0) return nothing
  const table = htmlTable(scoresTable(scores))
  return html`<details class="screen scores"><summary>All ${scores.length} scores</summary>${table}</details><div class="paper">${table}</div>`
}

const notMadeList = (missing: readonly string[]) =>
  missing.length === 0 ? nothing : html`<p class="soft">Not made:</p>${list("soft", missing)}`
