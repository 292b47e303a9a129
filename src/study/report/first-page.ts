import { manifestFile } from "../../release/write-release.ts"
import { formatCell, html, type Markup } from "../pages/page.ts"
import { untried } from "./attack-sentences.ts"
import { type AttackVerdict, foreignSentence } from "./attack-verdict.ts"
import type { ReportContent } from "./compose-report.ts"
import { mainMeasures } from "./main-measures.ts"
import { unitInWords } from "./promise-in-words.ts"
import type { PromiseVerdict } from "./promise-verdict.ts"

/** The most files of each kind on the first page; the appendix lists all. */
const mostFiles = 3
/** The most checks that the first page names because they failed or were not made. */
const mostOpen = 2

const minute = (time: string) => `${time.slice(0, 16).replace("T", " ")} UTC`

export const nothing = html``

export const list = (kind: string, items: readonly string[]) =>
  html`<ul class="${kind}">${items.map((item) => html`<li>${item}</li>`)}</ul>`

/**
 * Everything a signature needs, on one sheet: two verdicts, the promise, what it does not cover, and which release and
 * log the page is about.
 */
export function firstPage(content: ReportContent): Markup {
  const { manifest, folder, attacked, measures } = content
  const { guarantee } = manifest
  return html`<section class="first">
<header><h1>Report on a release</h1>
<p class="soft">${folder} · method <code>${manifest.method}</code> · release <code>${manifest.id}</code> ·
made ${minute(manifest.created)} · judged ${minute(content.created.toISOString())}</p></header>
${banner(content)}
<div class="verdicts">${promiseCard(content.promise, attacked)}${attackCard(attacked)}</div>
<h2>What is promised</h2>
<p>${guarantee.statement} The unit of protection is ${unitInWords(manifest)}.</p>
<div class="columns">
<div><h2>What the promise does not cover</h2>
${list("uncovered", guarantee.notCovered)}</div>
<div><h2>What attacks mean for a person in the log</h2>
${worstAttacks(attacked)}
<p class="soft">Not tried: ${untried[0] ?? ""}.</p></div>
<div><h2>What is left of the log</h2>
${whatIsLeft(content)}</div>
<div><h2>How the log was read</h2>
${reading(content)}</div>
</div>
<h2>Fingerprints (SHA-256)</h2>
${digests(content)}
<div class="decision">Decision:
<span>☐ publish</span> <span>☐ do not publish</span> <span>☐ change and judge again</span></div>
<div class="signature"><div>Name</div><div>Date</div><div>Signature</div></div>
${measures.length > 0 ? isPrivate : nothing}
</section>`
}

const isPrivate = html`<p class="soft">Private: the scores describe the log.
This page is for the owner of the log, not for publication.</p>`

/** A warning if the log differs from that of the receipt or was not compared: all results below are then worth less. */
function banner({ against, relation }: ReportContent): Markup {
  if (!against || relation === "same") return nothing
  if (relation === "other")
    return html`<div class="banner">${foreignSentence} Its fingerprint and its size are not those of the receipt.
Nothing below says how safe the release is.</div>`
  if (relation === "alike")
    return html`<div class="banner">${foreignSentence} Its fingerprint is not that of the receipt, but its size is.
If it is a copy in another form, judge against the files that were released.</div>`
  return html`<div class="banner unknown">The log was not compared: there is no receipt of this release next to it.
So nothing shows that the release was made from this log.</div>`
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

const keptClass: Record<PromiseVerdict["kept"], string> = {
  yes: "good",
  no: "bad",
  "in part": "warn",
  "nothing promised": "warn",
}

/** A kept promise is green only if attacks found nothing either, and if the release is not empty. */
function promiseCard({ kept, sentence, empty, open }: PromiseVerdict, { state }: AttackVerdict): Markup {
  const isShown = kept !== "yes" || (state === "nothing above chance" && !empty)
  const word = empty && kept !== "no" ? "Empty release" : capital(kept)
  const more = open.length - mostOpen
  const isAttacked = kept === "yes" && state !== "nothing above chance"
  return html`<section class="verdict ${isShown ? keptClass[kept] : "plain"}">
<h2>Promise kept</h2><p class="word">${word}</p><p>${sentence}</p>
${open.length === 0 ? nothing : list("open", open.slice(0, mostOpen))}
${more > 0 ? html`<p>and ${more} more: see the appendix.</p>` : nothing}
${isAttacked ? html`<p>A kept promise is not everything: see what attacks found.</p>` : nothing}</section>`
}

const attackClass: Record<AttackVerdict["state"], string> = {
  "nothing above chance": "good",
  "above chance": "warn",
  "over the accepted risk": "bad",
  "not attacked": "warn",
}

function attackCard({ state, sentence, caveats, meanings: [worst] }: AttackVerdict): Markup {
  return html`<section class="verdict ${attackClass[state]}"><h2>Attacks</h2><p class="word">${capital(state)}</p>
${worst === undefined ? nothing : html`<p class="meaning"><b>${worst}</b></p>`}<p>${sentence}</p>
${caveats.length === 0 ? nothing : html`<p>${caveats.join(" ")}</p>`}</section>`
}

function worstAttacks({ state, above, meanings: [worst, ...others] }: AttackVerdict): Markup {
  const more = above - 1 - others.length
  const rest = more > 0 ? html`<p>${more} more gained more than chance: see the appendix.</p>` : nothing
  const next = others.length > 0 ? "The next:" : "No other attack gained more than chance."
  if (worst !== undefined) return html`<p>The worst is above. ${next}</p>${list("worst", others)}${rest}`
  return state === "not attacked"
    ? html`<p>Not known: no attack says anything about this release.</p>`
    : html`<p>No attack that ran gained more than chance.</p>`
}

function whatIsLeft({ measures, against, promise }: ReportContent): Markup {
  if (promise.empty) return html`<p>Nothing: the release is empty.</p>`
  const said = mainMeasures(measures)
  if (said.length > 0) return list("left", said)
  return against
    ? html`<p>No measure says anything about this release.</p>`
    : html`<p>Not measured: this needs the original log.</p>`
}

function reading({ readings, unit, against, receipt }: ReportContent): Markup {
  if (readings.length === 0) {
    const why = receipt === undefined ? "there is no receipt, and no log was given" : "the receipt does not say"
    return html`<p>Not known: ${why}.</p>`
  }
  const persons =
    unit === "session"
      ? "Its user column distinguishes sessions, not people: one person may count several times."
      : "Each of its user ids counts as one person."
  const source = against ? "" : " This is from the receipt: the log was not given."
  return html`${readings.map((text) => html`<p>The log was ${text}</p>`)}<p>${persons}${source}</p>`
}

function digests({ manifest, manifestDigest, receipt, inputs, against }: ReportContent): Markup {
  const row = (part: string, size: string, digest: string) =>
    html`<tr><td>${part}</td><td class="number">${size}</td><td><code>${digest}</code></td></tr>`
  const some = <T>(files: readonly T[], show: (file: T) => Markup, what: string) => [
    ...files.slice(0, mostFiles).map(show),
    ...(files.length > mostFiles ? [row(what, "", `${files.length - mostFiles} more in the appendix`)] : []),
  ]
  const rows = [
    ...some(
      manifest.files,
      ({ path, rows, sha256 }) => row(`release: ${path}`, `${formatCell(rows)} rows`, sha256),
      "release",
    ),
    row(`release: ${manifestFile}`, "", manifestDigest ?? "a draft, not written"),
    row("receipt", "", receipt?.sha256 ?? "none of this release"),
    ...some(
      inputs,
      ({ path, bytes, sha256 }) =>
        row(`log${against ? "" : " (by the receipt)"}: ${shorten(path)}`, `${formatCell(bytes)} bytes`, sha256),
      "log",
    ),
    ...(inputs.length === 0 ? [row("log", "", "not given")] : []),
  ]
  return html`<table class="digests"><tbody>${rows}</tbody></table>`
}

/** Shortens a long path to its end. */
const shorten = (path: string) => (path.length > 40 ? `…${path.slice(-38)}` : path)
