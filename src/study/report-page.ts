import { tableOf } from "../methods/table.ts"
import type { Manifest } from "../release/manifest.ts"
import type { Score } from "../release/probe.ts"
import type { ProbeOutcome } from "../release/run-probes.ts"
import { overall } from "../verify/registry.ts"
import type { Check } from "../verify/verifier.ts"
import { formatCell, html, htmlTable, Markup, page } from "./page.ts"

/** Everything that the report of a release shows. */
export interface ReportContent {
  folder: string
  manifest: Manifest
  checks: readonly Check[]
  attacks: readonly ProbeOutcome[]
  measures: readonly ProbeOutcome[]
  /** Whether the original was at hand. */
  against: boolean
  created: Date
}

const verdicts = {
  holds: "Every check holds.",
  fails: "A check fails: do not publish this release.",
  unchecked: "Nothing failed, but some checks could not be made. Give the original log to make them.",
}

/** A release with its checks, attacks and measures, as one page that a privacy officer can sign. */
export function reportPage(content: ReportContent): string {
  const { manifest, checks, folder } = content
  const state = overall(checks)
  return page(
    `Report on a release: ${manifest.method}`,
    html`<header><h1>Report on a release</h1>
<p class="soft">${folder} · method <code>${manifest.method}</code> · release <code>${manifest.id}</code> · made ${manifest.created.slice(0, 16).replace("T", " ")} UTC</p></header>
<div class="verdict ${state}"><span class="${state}">${verdicts[state]}</span></div>
<h2>What is promised</h2>
<p>${manifest.guarantee.statement}</p>
<p class="soft">The unit of protection is one ${manifest.guarantee.unit}.</p>
<h2>What is not protected</h2>
<ul>${manifest.guarantee.notCovered.map((item) => html`<li>${item}</li>`)}</ul>
<h2>How it was checked</h2>
${checksTable(checks)}
<h2>How it was attacked</h2>
${outcomes(content.attacks, content.against)}
<h2>What it is still worth</h2>
${outcomes(content.measures, content.against)}
<h2>Parameters</h2>
${htmlTable(
  tableOf(
    ["parameter", "value"],
    Object.entries(manifest.parameters).map(([name, value]) => [name, String(value)]),
  ),
)}
<h2>Files</h2>
${htmlTable(
  tableOf(
    ["file", "rows", "SHA-256"],
    manifest.files.map(({ path, rows, sha256 }) => [path, rows, sha256]),
  ),
)}
<p class="soft">Columns: ${columnNames(manifest)}. Randomness: ${manifest.seeded ? "seeded, not for publication" : "cryptographic"}.</p>
<p class="soft">This page was made on ${content.created.toISOString().slice(0, 16).replace("T", " ")} UTC. Scores against the original describe the log: the page is for its owner, not for publication.</p>
<div class="signature"><div>Name</div><div>Date</div><div>Signature</div></div>`,
  )
}

function columnNames(manifest: Manifest): string {
  if ("columns" in manifest) return manifest.columns.join(", ")
  return manifest.files.map(({ path, columns }) => `${path}: ${columns.map(({ name }) => name).join(", ")}`).join("; ")
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
    return html`<tr><td class="${state}">${state}</td><td>${promise}</td><td>${found.join("; ")}</td></tr>`
  })
  return html`<table><thead><tr><th>state</th><th>check</th><th>found</th></tr></thead><tbody>${rows}</tbody></table>`
}

function outcomes(list: readonly ProbeOutcome[], against: boolean): Markup {
  if (!against) return html`<p class="soft">Not made: this needs the original log.</p>`
  const scores = list.flatMap((outcome) => ("scores" in outcome ? outcome.scores : []))
  const skipped = list.flatMap((outcome) =>
    "skipped" in outcome ? [html`<li>${outcome.probe}: ${outcome.skipped}</li>`] : [],
  )
  const table = scores.length === 0 ? new Markup("") : htmlTable(scoresTable(scores))
  return html`${table}${skipped.length === 0 ? new Markup("") : html`<p class="soft">Not applicable:</p><ul class="soft">${skipped}</ul>`}`
}

/** Scores as a table for people. */
export function scoresTable(scores: readonly Score[]) {
  return tableOf(
    ["score", "value", "95 % interval", "n", "baseline", "better"],
    scores.map(({ name, value, interval, n, baseline, better }) => [
      name,
      value.toFixed(4),
      interval === undefined ? "" : `${interval[0].toFixed(4)} – ${interval[1].toFixed(4)}`,
      n === undefined ? "" : formatCell(n),
      baseline === undefined ? "" : formatCell(baseline),
      better,
    ]),
  )
}
