import { noTime, readTimeText } from "../../kernels/civil-time.ts"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { StreamSettings } from "../../stream/live/settings.ts"
import type { StreamAudit } from "../../stream/store/audited-releases.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { type NumberedRelease, numberCells } from "./number-cells.ts"
import { type OutputRow, readOutput } from "./read-output.ts"

/** The releases of a period, each as it was released and as it is in the audit. */
export interface Period {
  rows: { shown: OutputRow; time: number; audited: NumberedRelease }[]
  settings: StreamSettings
  /** How many releases the output contains, and how many of them the audit covers. */
  released: number
  covered: number
}

/** The start (inclusive) and end (exclusive) of a period: a time as shown (UTC), or the number of a release. */
export interface Bounds {
  from?: string | undefined
  to?: string | undefined
}

const shape = [
  "k",
  "depth",
  "branches",
  "sensitive",
  "mode",
  "users",
  "urls",
  "time",
  "repeats",
  "scrub",
  "category",
] as const

/** The flag that sets a part of the shape, if it has another name. */
const flagOf: Partial<Record<(typeof shape)[number], string>> = {
  branches: "depth",
  sensitive: "sensitive-categories",
}

/**
 * Reads what a stream released in a period, together with its audit. Refuses an output that does not match the audit, a
 * period in which the settings changed, and a period that would split a cell.
 */
export async function gatherPeriod(
  subject: { output: string; audit: StreamAudit; taxonomy: Taxonomy; bounds: Bounds },
  context: RunContext,
): Promise<Period> {
  const { output, audit, taxonomy, bounds } = subject
  const isInside = insideOf(bounds)
  const rows: Period["rows"] = []
  const cells = new Map<number, boolean>()
  let settings: StreamSettings | undefined
  let text = ""
  let covered = 0
  const audited = numberCells(audit, taxonomy)
  let released = 0
  try {
    let next = await audited.next()
    for await (const shown of readOutput(output)) {
      released = shown.seq + 1
      if (released % 65536 === 0) await yieldAndReport(context, { stage: "sealing", done: released })
      while (next.done !== true && next.value.seq < shown.seq) next = await audited.next()
      if (next.done === true || next.value.seq !== shown.seq) continue
      const release = next.value
      covered++
      if (shown.query !== release.record.query) throw differs(output, shown.seq)
      const time = shown.time === undefined ? 0 : readTimeText(shown.time)
      if (time === noTime) throw differs(output, shown.seq)
      const inside = isInside({ seq: shown.seq, time, hasTime: shown.time !== undefined })
      if ((cells.get(release.cell) ?? inside) !== inside) throw torn(shown.seq)
      cells.set(release.cell, inside)
      if (!inside) continue
      if (release.settings !== text) {
        settings = sameSettings(settings, JSON.parse(release.settings), shown.seq)
        text = release.settings
      }
      rows.push({ shown, time, audited: release })
    }
  } finally {
    await audited.return(undefined) // closes its files
  }
  if (settings === undefined)
    throw new QueryveilError(
      "usage",
      [
        `Nothing to seal: of ${released} releases the audit covers ${covered},`,
        "and none of them is in the period.",
        "A running stream hands over its audit with each checkpoint.",
      ].join(" "),
    )
  return { rows, settings, released, covered }
}

function insideOf({ from, to }: Bounds): (row: { seq: number; time: number; hasTime: boolean }) => boolean {
  const bounds = [from, to].map((text, i) =>
    text === undefined ? undefined : boundOf(text, i === 0 ? "--from" : "--to"),
  )
  return (row) => {
    const [first, last] = bounds.map((bound) => {
      if (bound === undefined) return undefined
      if (bound.by === "time" && !row.hasTime)
        throw new QueryveilError("usage", "The stream shows no times. Give numbers of releases.", { flag: "--from" })
      return (bound.by === "time" ? row.time : row.seq) - bound.value
    })
    return (first === undefined || first >= 0) && (last === undefined || last < 0)
  }
}

function boundOf(text: string, flag: string): { by: "time" | "seq"; value: number } {
  if (/^\d{1,15}$/.test(text)) return { by: "seq", value: Number(text) }
  const value = readTimeText(text)
  if (value !== noTime) return { by: "time", value }
  throw new QueryveilError("option-value", `${flag} ${text}: expected a date, a time or the number of a release.`, {
    flag,
  })
}

/**
 * The settings of the period, with the mark of names that became shorter (`shorterSince`). Throws if one of `shape`
 * changed within the period.
 */
function sameSettings(before: StreamSettings | undefined, now: StreamSettings, seq: number): StreamSettings {
  const hasChanged = (key: (typeof shape)[number], other: StreamSettings) =>
    key === "branches" || key === "sensitive"
      ? other[key]?.join("\n") !== now[key]?.join("\n")
      : other[key] !== now[key]
  const found = before === undefined ? undefined : shape.find((key) => hasChanged(key, before))
  if (found === undefined) return now
  throw new QueryveilError(
    "usage",
    [
      `--${flagOf[found] ?? found} changed within the period, at release ${seq}.`,
      `Seal what came before (--to ${seq}) and what came after (--from ${seq}) separately.`,
    ].join(" "),
    { flag: "--to" },
  )
}

/** The error for an output that does not match its audit. */
export const differs = (output: string, seq: number) =>
  new QueryveilError(
    "output-changed",
    `${output}: release ${seq} does not match the audit. The output was altered, or belongs to another stream.`,
    { file: output },
  )

const torn = (seq: number) =>
  new QueryveilError("usage", `The period ends within a cell, at release ${seq}. Choose another bound.`, {
    flag: "--to",
  })
