import { methods } from "../../methods/registry.ts"
import { findMethod, methodOptions } from "../../release/anonymize.ts"
import type { Manifest } from "../../release/manifest.ts"
import { manifestFile } from "../../release/write-release.ts"
import { letterOf } from "../figures/parameter-names.ts"
import { formatCell, html, Markup } from "../pages/page.ts"
import type { ReportContent } from "./compose-report.ts"

/** The parameters and their meanings. */
export function parametersTable({ method, parameters }: Manifest): Markup {
  const isKnown = methods.some(({ name }) => name === method)
  const meanings = new Map<string, string>()
  if (isKnown) {
    for (const [key, schema] of Object.entries(methodOptions(findMethod(method)).properties)) {
      if ("description" in schema) meanings.set(key, String(schema.description))
    }
  }
  const rows = Object.entries(parameters).map(
    ([key, value]) =>
      html`<tr><td class="name"><code>${key}</code> ${letterOf(method, key) ?? ""}</td>
<td>${String(value)}</td><td>${meanings.get(key) ?? ""}</td></tr>`,
  )
  return html`<table class="parameters"><thead><tr><th>parameter</th><th>value</th><th>meaning</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

/** The exact subject of the page, by fingerprint, and how to make the page again. */
export function provenance(content: ReportContent): Markup {
  const { manifest, manifestDigest, inputs, readings, versions, seed, commands } = content
  const row = (part: string, size: string, digest: string) =>
    html`<tr><td>${part}</td><td class="number">${size}</td><td><code>${digest}</code></td></tr>`
  const released = [
    ...manifest.files.map(({ path, rows, sha256 }) => row(path, `${formatCell(rows)} rows`, sha256)),
    ...(manifestDigest === undefined ? [] : [row(manifestFile, "", manifestDigest)]),
  ]
  const read = inputs.map(({ path, bytes, sha256 }) => row(path, `${formatCell(bytes)} bytes`, sha256))
  const table = (title: string, rows: readonly Markup[]) =>
    rows.length === 0
      ? new Markup("")
      : html`<table><thead><tr><th>${title}</th><th></th><th>SHA-256</th></tr></thead><tbody>${rows}</tbody></table>`
  const again =
    commands.length === 0
      ? new Markup("")
      : html`<p>To repeat all of this:</p><pre>${commands.map((line) => html`<code>${line}</code>`)}</pre>`
  const randomness = manifest.seeded ? "seeded, so not for publication" : "cryptographic, by its manifest"
  const repeatable =
    seed === undefined ? "" : `Attacks and measures draw from seed ${seed}: the same seed finds the same numbers.`
  return html`<p>Release <code>${manifest.id}</code>. Columns: ${columnNames(manifest)}.
Randomness of the release: ${randomness}.</p>
${table("file of the release", released)}
${table("file of the log", read)}
${readings.map((text) => html`<p>The log was ${text}</p>`)}
<p>queryveil ${versions.queryveil}, node ${versions.node}. ${repeatable}</p>
${again}`
}

function columnNames(manifest: Manifest): string {
  if ("columns" in manifest) return manifest.columns.join(", ")
  return manifest.files.map(({ path, columns }) => `${path}: ${columns.map(({ name }) => name).join(", ")}`).join("; ")
}
