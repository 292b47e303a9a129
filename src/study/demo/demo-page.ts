import { count } from "../../kernels/number-words.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Exposed } from "../../personal/proxy/answers.ts"
import { type ProbeOutcome, scoresOf } from "../../probes/run-probes.ts"
import { findScore, type Score, type ScoreKey } from "../../probes/score.ts"
import type { StreamFigures } from "../../stream/live/figures.ts"
import { overall } from "../../verify/verifier.ts"
import { html, type Markup, page, stateClass } from "../pages/page.ts"
import type { ReportContent } from "../report/compose-report.ts"
import { counted, percent } from "../report/words.ts"
import { exposureSection, filesSection, streamSection } from "./sections.ts"

/** One release of the demo, with everything that was found out about it. */
export interface ShownRelease extends Pick<ReportContent, "folder" | "manifest" | "checks" | "attacks" | "measures"> {
  /** In a few words, for someone who reads no paper. */
  idea: string
  report: string
}

export interface DemoContent {
  log: SearchLog
  /** The attacks on the log itself, its user ids replaced by random names. */
  raw: readonly ProbeOutcome[]
  releases: readonly ShownRelease[]
  /** The release that stands beside the raw log. */
  first: ShownRelease
  frontier: { page: string; chart: Markup; advice: readonly string[]; command: string }
  stream: StreamFigures
  exposed: Exposed
  /** The share of searches after another that were made to follow from it. */
  follow: number
  studies: readonly { page: string; says: string }[]
}

const verdicts = { passed: "passed", failed: "failed", "not checked": "in part", "not promised": "not promised" }

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

const find = (outcomes: readonly ProbeOutcome[], key: keyof typeof shown) => findScore(scoresOf(outcomes), shown[key])

/** The demo as a story: who can be found in the log, six ways to release it, which to take, live, and at home. */
export function demoPage(content: DemoContent): string {
  const { log, raw, releases, first } = content
  return page(
    "queryveil: a search log, released",
    html`<header><h1>Who can be found in a search log?</h1>
<p class="soft">A made-up log of ${count(log.rows)} rows by ${count(log.users.size)} users, with ${count(log.queries.size)} distinct queries. No real person is in it.</p></header>
${pair(raw, first)}
<h2>The log</h2>
<p>${plantedSecrets(raw)} ${usualOrder(content.follow)}</p>
<p>What the log tells about its users before anything is done to it stands <a href="inspect.html">on a page of its own</a>.</p>
<h2>Six ways to release it</h2>
<p>Each release was made, checked against its promise, attacked, and compared with the log. Its name leads to its report, which is one page to sign.</p>
${releasesTable(releases, raw)}
${columnNotes(releases, raw)}
<h2>Which one?</h2>
<p>All methods over a grid of their parameters. Useful is to the right: after a search, ten queries are suggested from the release, and the score is the mean of 1/place of what was really searched next (MRR). Safe is below: risk is what the strongest attack gained over a guess. On the line nothing else is both safer and more useful.</p>
<figure>${content.frontier.chart}<figcaption>Thin bars are 95 % intervals. Scores are low even for the log itself, since most queries are those of one person and nobody can know what comes after them. Concepts in the place of queries (wordnet) suggest none and are not drawn. <a href="${content.frontier.page}">All points by other uses too, with a report for each</a></figcaption></figure>
${content.frontier.advice.map((sentence) => html`<p>${sentence}</p>`)}
<p><code>${content.frontier.command}</code></p>
${streamSection(content.stream)}
${exposureSection(content.exposed)}
<h2>What is not protected</h2>
<p>Of the release beside the raw log above, in the words of its own manifest:</p>
<ul>${first.manifest.guarantee.notCovered.map((item) => html`<li>${item}</li>`)}</ul>
<h2>Read on</h2>
<ul>${content.studies.map(({ page: link, says }) => html`<li><a href="${link}">${says}</a></li>`)}</ul>
${filesSection(first.folder)}`,
  )
}

/** How much was hidden in the log, and of which kinds. */
function plantedSecrets(raw: readonly ProbeOutcome[]): string {
  const lines = find(raw, "secrets")?.n ?? 0
  if (lines === 0) return "Most people search for what most people search for."
  const kinds = scoresOf(raw).flatMap(({ score, at }) => (score === "secrets" ? (at?.kind ?? []) : []))
  return `Most people search for what most people search for. Hidden among it: ${counted(lines, "line")} with a planted secret (${kinds.join(", ")}).`
}

/** What order there is between searches, since a score below rests on it. */
function usualOrder(follow: number): string {
  if (follow === 0) return ""
  return `After one search in a session comes, in ${count(100 * follow)} of 100 cases, one of the few that people usually make next. It was made up that way: what is said below of next searches tells which releases keep such an order, not how much of it another log has.`
}

/** The same attack twice, as two cards: what it finds in the raw log, and in a release. */
function pair(raw: readonly ProbeOutcome[], release: ShownRelease): Markup {
  const found = [raw, release.attacks].map((outcomes) => find(outcomes, "name"))
  const [before, after] = found
  if (before === undefined || after === undefined) return html`<p>The attack by profiles could not be made.</p>`
  return html`<h2>The same attack, twice</h2>
<p>Someone knows what each of these people searched for in the first two thirds of the time. Here is the last third without their ids, once as it is and once released. For how many of the names in it can he say who it is?</p>
<div class="pair">
${card(before, { title: "the raw log, ids replaced by random names", state: "failed" })}
${card(after, { title: `a release: ${release.idea}`, state: after.value < before.value ? "passed" : "failed" })}
</div>
<p class="soft">Of ${count(before.n ?? 0)} names there, and of ${count(after.n ?? 0)} here, drawn at random where there are more; a blind guess is right for ${percent(before.baseline ?? 0)}.${release.manifest.parameters.users === "session" ? " In the release each session has a name of its own." : ""} <a href="${release.report}">The whole report</a></p>`
}

function card(score: Score, { title, state }: { title: string; state: string }): Markup {
  if (score.n === 0)
    return html`<div class="card"><div class="big not-checked">–</div><div>${title}</div>
<div class="soft">It shows no name of someone who had searched before: there is nothing to attack, and little to use.</div></div>`
  const [low, high] = score.interval ?? [score.value, score.value]
  return html`<div class="card"><div class="big ${state}">${percent(score.value)}</div><div>${title}</div>
${dots(score.value, state)}<div class="soft">95 % interval ${percent(low)} – ${percent(high)}</div></div>`
}

/** A hundred people; as many are filled as were found, at least one if any. */
function dots(share: number, state: string): Markup {
  const filled = share > 0 ? Math.max(1, Math.round(share * 100)) : 0
  const circles = Array.from({ length: 100 }, (_, i) => {
    const [x, y] = [6 + 12 * (i % 20), 6 + 12 * Math.floor(i / 20)]
    return html`<circle cx="${x}" cy="${y}" r="4.5" class="${i < filled ? "found" : "hidden"}"/>`
  })
  return html`<svg viewBox="0 0 240 60" class="dots ${state}" role="img" aria-label="${filled} of 100">${circles}</svg>`
}

function releasesTable(releases: readonly ShownRelease[], raw: readonly ProbeOutcome[]): Markup {
  const rows = releases.map((release) => {
    const { manifest, checks, attacks, measures, report, idea } = release
    const state = overall(checks)
    return html`<tr><td><a href="${report}">${manifest.method}</a><br><small>${idea}</small></td>
<td class="${stateClass(state)}">${verdicts[state]}</td>${riskCells(attacks)}
<td class="number">${shareOf(find(attacks, "secrets"))}</td>
<td class="number">${shareOf(find(measures, "events"))}</td>
<td class="number">${shareOf(find(measures, "top"))}</td>
<td class="number">${ofLog(find(measures, "suggestions"))}</td></tr>`
  })
  const asItIs = html`<tr><td>the raw log<br><small>ids replaced by random names</small></td><td></td>${riskCells(raw)}
<td class="number">${shareOf(find(raw, "secrets"))}</td><td class="number">${percent(1)}</td><td class="number">${percent(1)}</td><td class="number">${percent(1)}</td></tr>`
  return html`<table><thead><tr><th>method</th><th>promise</th><th class="number">searches linked</th><th class="number">names linked</th><th class="number">secrets</th><th class="number">searches kept</th><th class="number">top queries</th><th class="number">next search</th></tr></thead>
<tbody>${asItIs}${rows}</tbody></table>`
}

/** What the columns say, and what to keep in mind about them. */
function columnNotes(releases: readonly ShownRelease[], raw: readonly ProbeOutcome[]): Markup {
  const outcomes = [raw, ...releases.map(({ attacks }) => attacks)]
  const guesses = outcomes.flatMap((attacks) =>
    (["record", "name"] as const).map((unit) => find(attacks, unit)?.baseline ?? 0),
  )
  return html`<ul class="soft">
<li><b>Promise</b>: <i>in part</i> means that nothing speaks against it, but that not all of it can be seen in the files.</li>
<li><b>Searches and names linked</b>: someone who knows what each person searched for in the first two thirds of the time says whose the later ones are. A blind guess is right for at most ${percent(Math.max(...guesses))}. Tables of counts name nobody: there the question is whether someone was in the log at all, and the number is the advantage of who guesses (0 %: none, 100 %: certainty).</li>
<li><b>Secrets</b>: planted texts that are still there to be read.</li>
<li><b>Searches kept</b>: of all searches. <b>Top queries</b>: how many of the log’s hundred most frequent are the release’s too.</li>
<li><b>Next search</b>: how well what people search next is suggested from the release, in percent of how well from the log. Where no order is left, what shares words or is frequent is still suggested.</li>
<li>A dash: there was nothing to try. Noise that hides one of so few people hides most queries with them: counts are for larger logs.</li>
</ul>`
}

/** Two cells, or one over both for tables, which name nobody. */
function riskCells(attacks: readonly ProbeOutcome[]): Markup {
  const informed = find(attacks, "informed") ?? find(attacks, "member")
  const record = find(attacks, "record")
  if (record === undefined && informed !== undefined)
    return html`<td class="number" colspan="2">in the log or not: ${percent(Math.max(0, informed.value))}</td>`
  return html`<td class="number">${linked(record)}</td><td class="number">${linked(find(attacks, "name"))}</td>`
}

const linked = (score: Score | undefined) => (score === undefined || score.n === 0 ? "–" : percent(score.value))

/** Of what the log itself scores; no digits that the interval would not bear out. */
const ofLog = (score: Score | undefined) =>
  score === undefined || !score.baseline ? "–" : `${count((100 * score.value) / score.baseline)}\u00a0%`

const shareOf = (score: Score | undefined) => (score === undefined ? "–" : percent(score.value))
