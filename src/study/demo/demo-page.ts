import { count } from "../../kernels/number-words.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Exposed } from "../../personal/proxy/answers.ts"
import { gainOf } from "../../probes/gain.ts"
import { type ProbeOutcome, scoresOf } from "../../probes/run-probes.ts"
import type { Score } from "../../probes/score.ts"
import type { StreamFigures } from "../../stream/live/stream-figures.ts"
import { html, type Markup, page } from "../pages/page.ts"
import { defaultRisk } from "../report/attack-verdict.ts"
import type { ReportContent } from "../report/compose-report.ts"
import { counted, percent } from "../report/words.ts"
import { columnNotes, findShown as find, releasesStyle, releasesTable } from "./releases-table.ts"
import { exposureSection, filesSection, streamSection } from "./sections.ts"

/** One release of the demo, with all its results. */
export interface ShownRelease
  extends Pick<ReportContent, "folder" | "manifest" | "promise" | "attacked" | "attacks" | "measures"> {
  /** The idea in a few words, for someone who does not read papers. */
  idea: string
  report: string
}

export interface DemoContent {
  log: SearchLog
  /** The attacks on the log itself, with user ids replaced by random names. */
  raw: readonly ProbeOutcome[]
  releases: readonly ShownRelease[]
  /** The release that is shown next to the raw log. */
  first: ShownRelease
  frontier: { page: string; chart: Markup; advice: readonly string[]; command: string }
  stream: StreamFigures
  exposed: Exposed
  /** The share of follow-up searches that were generated to follow from the search before. */
  follow: number
  studies: readonly { page: string; says: string }[]
}

/**
 * The demo as a story: who can be found in the log, six ways to release it, which one to choose, the live stream, and
 * personal search at home.
 */
export function demoPage(content: DemoContent): string {
  const { log, raw, releases, first } = content
  return page(
    "queryveil: a search log, released",
    html`<header><h1>Who can be found in a search log?</h1>
<p class="soft">The log is synthetic: ${count(log.rows)} rows by ${count(log.users.size)} users,
with ${count(log.queries.size)} distinct queries. No real person is in it.</p></header>
${pair(raw, first)}
<h2>The log</h2>
<p>${describeSecrets(raw)} ${describeOrder(content.follow)}</p>
<p><a href="inspect.html">How exposed its users are</a> before anything is done to the log.</p>
<h2>Six ways to release it</h2>
<p>Each release was checked against its promise, attacked, and compared with the log. Its name links to its report:
one page to sign, and an appendix.</p>
${releasesTable(releases, raw)}
${columnNotes(releases, raw)}
<h2>Which one?</h2>
<p>Each point is a release: all methods, over a grid of their parameters. No other release is both safer and more useful
than one on the line.</p>
<p>Further right is more useful: after a search, ten queries are suggested from the release. The score is the mean of
1/rank of the query that was really searched next (MRR). Lower is safer: risk is how much the strongest attack gained
over a guess.</p>
<figure>${content.frontier.chart}<figcaption>Thin bars are 95 % intervals. Scores are low even for the log itself:
most queries belong to one person, and nobody can know what comes after them. The method wordnet releases concepts
instead of queries, so it suggests none and is not drawn.
<a href="${content.frontier.page}">All points, also by other uses, with a report for each</a></figcaption></figure>
${content.frontier.advice.map((sentence) => html`<p>${sentence}</p>`)}
<p><code>${content.frontier.command}</code></p>
${streamSection(content.stream)}
${exposureSection(content.exposed)}
<h2>What is not protected</h2>
<p>These are the limits of the first release above, in the words of its own manifest:</p>
<ul>${first.manifest.guarantee.notCovered.map((item) => html`<li>${item}</li>`)}</ul>
<h2>Read on</h2>
<ul>${content.studies.map(({ page: link, says }) => html`<li><a href="${link}">${says}</a></li>`)}</ul>
${filesSection(first.folder)}`,
    releasesStyle,
  )
}

/** How many secrets were planted in the log, and of which kinds. */
function describeSecrets(raw: readonly ProbeOutcome[]): string {
  const lines = find(raw, "secrets")?.n ?? 0
  if (lines === 0) return ""
  const kinds = scoresOf(raw).flatMap(({ score, at }) => (score === "secrets" ? (at?.kind ?? []) : []))
  return `It contains ${counted(lines, "line")} with a planted secret (${kinds.join(", ")}).`
}

/** Describes the order between searches, because a score further down depends on it. */
function describeOrder(follow: number): string {
  if (follow === 0) return ""
  return [
    `Within a session, the next search is, in ${count(100 * follow)} of 100 cases, one of the few that people usually`,
    "make next. The log was generated that way. So the scores of next searches below show which releases keep such an",
    "order, not how much of it another log has.",
  ].join(" ")
}

/** Two cards for the same attack: what it finds in the raw log, and what it finds in a release. */
function pair(raw: readonly ProbeOutcome[], release: ShownRelease): Markup {
  const found = [raw, release.attacks].map((outcomes) => find(outcomes, "name"))
  const [before, after] = found
  if (before === undefined || after === undefined) return html`<p>The attack profile could not be run.</p>`
  const perSession =
    release.manifest.parameters.users === "session" ? " In the release each session has a name of its own." : ""
  return html`<h2>The same attack, twice</h2>
<p>An attacker knows what each of these people searched for in the first two thirds of the time. They get the last third
without user ids: once the raw log, once a release. For what share of the names in it do they find the right person?</p>
<div class="pair">
${card(before, "the raw log, ids replaced by random names")}
${card(after, `a release: ${release.idea}`)}
</div>
<p class="soft">The attack was tried on ${count(before.n ?? 0)} names of the raw log and ${count(after.n ?? 0)} of the
release, drawn at random where there are more. A blind guess is right for ${percent(before.baseline ?? 0)}.${perSession}
<a href="${release.report}">The whole report</a></p>`
}

function card(score: Score, title: string): Markup {
  if (score.n === 0)
    return html`<div class="card"><div class="big not-checked">–</div><div>${title}</div>
<div class="soft">No name in it belongs to someone who searched before: there is nothing to attack, and little to
use.</div></div>`
  const [low, high] = score.interval ?? [score.value, score.value]
  const [state, words] = judge(score)
  return html`<div class="card"><div class="big ${state}">${percent(score.value)}</div><div>${title}</div>
${dots(score.value, state)}<div>${words}</div>
<div class="soft">95 % interval ${percent(low)} – ${percent(high)}</div></div>`
}

/** The CSS class and the words for the gain of an attack. */
function judge(score: Score): [state: string, words: string] {
  const gain = gainOf(score)
  if (!gain?.isAbove) return ["passed", "No more than a guess."]
  return gain.value > defaultRisk ? ["failed", "Far more than a guess."] : ["not-checked", "More than a guess."]
}

/** A hundred people as dots. The filled share is the share that was found, at least one dot if it is above 0. */
function dots(share: number, state: string): Markup {
  const filled = share > 0 ? Math.max(1, Math.round(share * 100)) : 0
  const circles = Array.from({ length: 100 }, (_, i) => {
    const [x, y] = [6 + 12 * (i % 20), 6 + 12 * Math.floor(i / 20)]
    return html`<circle cx="${x}" cy="${y}" r="4.5" class="${i < filled ? "found" : "hidden"}"/>`
  })
  return html`<svg viewBox="0 0 240 60" class="dots ${state}" role="img" aria-label="${filled} of 100">${circles}</svg>`
}
