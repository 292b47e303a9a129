import { type Static, Type, Value } from "#typebox"
import { html, type Markup } from "../pages/page.ts"
import { attackStates } from "./attack-verdict.ts"
import type { ReportContent } from "./compose-report.ts"
import { mainMeasures } from "./main-measures.ts"
import { unitInWords } from "./promise-in-words.ts"
import { keptStates } from "./promise-verdict.ts"

const texts = Type.Array(Type.String())

/** What a signer decides on: the first page of a report as data. It is kept inside the page. */
export const reportSummarySchema = Type.Object({
  /** The id of the release, and the SHA-256 of its manifest. */
  release: Type.String(),
  manifest: Type.String(),
  method: Type.String(),
  seeded: Type.Boolean(),
  /** When the release was made, and when it was judged. */
  made: Type.String(),
  judged: Type.String(),
  /** How the log relates to the log of the receipt; `not compared` without a receipt or without the log. */
  original: Type.Enum(["same", "alike", "other", "not compared"]),
  statement: Type.String(),
  /** Who or what is protected. */
  protects: Type.String(),
  notCovered: texts,
  promise: Type.Object({
    kept: Type.Enum([...keptStates]),
    sentence: Type.String(),
    open: texts,
    empty: Type.Boolean(),
  }),
  attacks: Type.Object({
    state: Type.Enum([...attackStates]),
    sentence: Type.String(),
    caveats: texts,
    meanings: texts,
    acceptedRisk: Type.Number(),
  }),
  /** What is left of the log, in sentences. */
  left: texts,
  /** How the log was read. */
  readings: texts,
})

/** The first page of a report as data. */
export type ReportSummary = Static<typeof reportSummarySchema>

export function summariseReport(content: ReportContent): ReportSummary {
  const { manifest, promise, attacked, relation, against } = content
  const { state, sentence, caveats, meanings, acceptedRisk } = attacked
  const { kept, open, empty } = promise
  return {
    release: manifest.id,
    manifest: content.manifestDigest ?? "",
    method: manifest.method,
    seeded: manifest.seeded,
    made: manifest.created,
    judged: content.created.toISOString(),
    original: against ? (relation ?? "not compared") : "not compared",
    statement: manifest.guarantee.statement,
    protects: unitInWords(manifest),
    notCovered: [...manifest.guarantee.notCovered],
    promise: { kept, sentence: promise.sentence, open: [...open], empty },
    attacks: { state, sentence, caveats: [...caveats], meanings: [...meanings], acceptedRisk },
    left: mainMeasures(content.measures),
    readings: [...content.readings],
  }
}

/** The summary as a part of the page that is not shown. */
export const embedSummary = (summary: ReportSummary): Markup =>
  html`<data id="summary" value="${JSON.stringify(summary)}" hidden></data>`

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }

/** The summary inside a report; undefined if the page has none, as those of version 0.1. */
export function readSummary(page: string): ReportSummary | undefined {
  const found = /<data id="summary" value="([^"]*)" hidden>/.exec(page)?.[1]
  if (found === undefined) return undefined
  try {
    const text = found.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "")
    const summary: unknown = JSON.parse(text)
    return Value.Check(reportSummarySchema, summary) ? summary : undefined
  } catch {
    return undefined
  }
}

/**
 * What a signer accepts, point by point: what the promise does not cover, checks that could not be made, and what the
 * attacks found.
 */
export function pointsToAccept({ notCovered, promise, attacks }: ReportSummary): string[] {
  const found = attacks.state === "nothing above chance" ? [] : [attacks.meanings[0] ?? attacks.sentence]
  return [...notCovered, ...promise.open, ...found]
}
