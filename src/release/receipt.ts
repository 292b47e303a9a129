import type { Intake } from "../log/intake.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Draft } from "./anonymize.ts"
import { besidePath } from "./output.ts"

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
}

/** `DIR.receipt.json`, however DIR was written. */
export function receiptPath(folder: string): string {
  return besidePath(folder, ".receipt.json")
}

export function composeReceipt(draft: Draft, input: { log: SearchLog; intake: Intake }): Receipt {
  const { log, intake } = input
  return {
    queryveil: draft.manifest.queryveil,
    release: draft.manifest.id,
    method: draft.manifest.method,
    input: {
      format: intake.format,
      unit: intake.unit,
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
    released: countReleased(draft),
    warnings: [...intake.warnings, ...draft.warnings],
  }
}

function countReleased(draft: Draft): Receipt["released"] {
  if (draft.kind === "rows") return { rows: draft.rows.order.length }
  const tables = Object.fromEntries(Object.entries(draft.tables).map(([name, table]) => [name, table.rows]))
  return { rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0), tables }
}
