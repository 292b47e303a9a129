import { readFile } from "node:fs/promises"
import { besidePath } from "../files/reserve.ts"
import type { Intake } from "../log/intake.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Draft } from "./anonymize.ts"
import { isTablesManifest, type Manifest } from "./manifest.ts"
import type { PartsDraft } from "./parts-draft.ts"
import type { ExemptFigures } from "./scrub.ts"

/** What describes the input of a release. Private: lies beside the release, mode 0600, never inside. */
export interface Receipt {
  queryveil: number
  /** The id of the release it belongs to. */
  release: string
  method: string
  input: {
    format: string
    /** Whom the user column tells apart. */
    unit: Intake["unit"]
    /** Which columns were read as what, and how they were found: names and positions, never values. */
    read: Intake["read"]
    encoding: string
    cached: boolean
    files: { path: string; bytes: number; lines: number; sha256: string }[]
    lines: number
    rejected: Intake["rejected"]
    /** Rows that log a search again. */
    collapsed: number
    rows: number
    events: number
    users: number
    queries: number
    urls: number
  }
  withheld: Record<string, number>
  /** Of all files together; of tables also each by name. */
  released: { rows: number; tables?: Record<string, number> }
  warnings: string[]
  /** Exact figures of which the manifest states rounded ones. */
  measured?: Record<string, string | number>
  /** The owner's list of queries that are not scrubbed; the audit has it. */
  scrubExempt?: ExemptFigures
}

/** `DIR.receipt.json`, however DIR was written. */
export function receiptPath(folder: string): string {
  return besidePath(folder, ".receipt.json")
}

/** Whether the receipt beside a release, where there is one, is about another log than this: other files, and other sizes. */
export async function isOfOtherLog(folder: string, { log, intake }: Input): Promise<boolean> {
  try {
    const { input }: Receipt = JSON.parse(await readFile(receiptPath(folder), "utf8"))
    const digests = new Set(intake.files.map(({ sha256 }) => sha256))
    const sizes = [log.rows, log.events, log.users.size, log.queries.size, log.urls.size]
    const then = [input.rows, input.events, input.users, input.queries, input.urls]
    return !input.files.every(({ sha256 }) => digests.has(sha256)) && sizes.some((size, i) => size !== then[i])
  } catch {
    return false // no receipt, or none that can be read
  }
}

/** How large a log is, as a log that was read says it. */
export type LogSizes = Pick<SearchLog, "rows" | "events"> &
  Record<"users" | "queries" | "urls", Pick<SearchLog["users"], "size">>

interface Input {
  log: LogSizes
  intake: Intake
}

/** The receipt of a draft that was written: the manifest says in which files. */
export function composeReceipt(draft: Draft | PartsDraft, manifest: Manifest, input: Input): Receipt {
  const { log, intake } = input
  return {
    queryveil: draft.manifest.queryveil,
    release: draft.manifest.id,
    method: draft.manifest.method,
    input: {
      format: intake.format,
      unit: intake.unit,
      read: intake.read,
      encoding: intake.encoding ?? "utf-8",
      cached: intake.cached,
      files: intake.files.map(({ path, bytes, lines, sha256 }) => ({ path, bytes, lines, sha256 })),
      lines: intake.lines,
      rejected: intake.rejected,
      collapsed: intake.collapsed,
      rows: log.rows,
      events: log.events,
      users: log.users.size,
      queries: log.queries.size,
      urls: log.urls.size,
    },
    withheld: draft.withheld,
    released: countReleased(manifest),
    warnings: [...intake.warnings, ...intake.doubts, ...draft.warnings],
    ...(draft.measured && { measured: draft.measured }),
    ...(draft.exempted && { scrubExempt: draft.exempted }),
  }
}

function countReleased(manifest: Manifest): Receipt["released"] {
  const rows = manifest.files.reduce((sum, file) => sum + file.rows, 0)
  if (!isTablesManifest(manifest)) return { rows }
  return { rows, tables: Object.fromEntries(manifest.files.map((file) => [tableName(file.path), file.rows])) }
}

/** The name of the table in a file: its path without the ending. */
const tableName = (path: string) => path.slice(0, path.indexOf("."))
