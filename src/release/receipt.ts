import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { isDeepStrictEqual } from "node:util"
import { type Static, Type, Value } from "#typebox"
import { besidePath } from "../files/reserve.ts"
import type { IndexIntake, Intake } from "../log/intake.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Draft } from "./anonymize.ts"
import { isTablesManifest, type Manifest } from "./manifest.ts"
import type { PartsDraft } from "./parts-draft.ts"
import type { ExemptFigures } from "./scrub.ts"

/** Describes the input of a release. Private: it is next to the release with mode 0600, never inside it. */
export interface Receipt {
  queryveil: number
  /** The id of the release that it belongs to. */
  release: string
  method: string
  input: {
    format: string
    /** What the user column distinguishes. */
    unit: Intake["unit"]
    /** Which columns were read as what, and how they were found. Names and positions, never values. */
    read: Intake["read"]
    encoding: string
    cached: boolean
    files: { path: string; bytes: number; lines: number; sha256: string; index?: IndexIntake }[]
    lines: number
    rejected: Intake["rejected"]
    /** Number of rows that repeat a search. */
    collapsed: number
    rows: number
    events: number
    users: number
    queries: number
    urls: number
  }
  withheld: Record<string, number>
  /** Total over all files. For tables, also the rows of each by name. */
  released: { rows: number; tables?: Record<string, number> }
  warnings: string[]
  /** The exact values of numbers that the manifest states rounded. */
  measured?: Record<string, string | number>
  /** Figures about the owner's list of exempt queries. The audit contains the list. */
  scrubExempt?: ExemptFigures
  /** The gain over a guess that the owner accepted (`--max-risk`), if one was given. */
  maxRisk?: number
}

/** `DIR.receipt.json`, however DIR is written. */
export function receiptPath(folder: string): string {
  return besidePath(folder, ".receipt.json")
}

const size = Type.Integer({ minimum: 0 })

/** The parts of a receipt that are read back. Receipts of version 0.1 do not say how the log was read. */
const readBack = Type.Object({
  release: Type.String(),
  input: Type.Object({
    unit: Type.Optional(Type.Enum(["user", "session"])),
    read: Type.Optional(
      Type.Array(
        Type.Object({
          format: Type.String(),
          columns: Type.Record(Type.String(), Type.String()),
          found: Type.Enum(["named", "known", "recognised", "guessed"]),
        }),
      ),
    ),
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        bytes: size,
        sha256: Type.String(),
        index: Type.Optional(
          Type.Object({
            since: Type.Optional(Type.String()),
            until: Type.Optional(Type.String()),
            filter: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
            documents: size,
          }),
        ),
      }),
    ),
    rows: size,
    events: size,
    users: size,
    queries: size,
    urls: size,
  }),
  maxRisk: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
})

/** The parts of a receipt that are read back, and the SHA-256 of its file. */
export type ReadReceipt = Static<typeof readBack> & { sha256: string }

/** The receipt next to a release; undefined if there is none or it cannot be read. */
export async function readReceipt(folder: string): Promise<ReadReceipt | undefined> {
  try {
    const bytes = await readFile(receiptPath(folder))
    const receipt: unknown = JSON.parse(bytes.toString("utf8"))
    if (!Value.Check(readBack, receipt)) return undefined
    return { ...receipt, sha256: createHash("sha256").update(bytes).digest("hex") }
  } catch {
    return undefined
  }
}

/**
 * How a log relates to the one that a receipt describes:
 *
 * - `same`: the same files by SHA-256, read to the same sizes;
 * - `alike`: other files of the same sizes, such as a compressed copy, or a copy in which something was changed;
 * - `other`: neither.
 */
export type LogRelation = "same" | "alike" | "other"

/** Compares a log that was read with a receipt. */
export function relateLog({ input }: ReadReceipt, { log, intake }: Pick<Input, "log" | "intake">): LogRelation {
  const digests = (files: readonly { sha256: string }[]) => files.map(({ sha256 }) => sha256).sort()
  const sizes = [log.rows, log.events, log.users.size, log.queries.size, log.urls.size]
  if (!isDeepStrictEqual(sizes, [input.rows, input.events, input.users, input.queries, input.urls])) return "other"
  return isDeepStrictEqual(digests(intake.files), digests(input.files)) ? "same" : "alike"
}

/** The sizes of a log, in the form of a log that was read. */
export type LogSizes = Pick<SearchLog, "rows" | "events"> &
  Record<"users" | "queries" | "urls", Pick<SearchLog["users"], "size">>

interface Input {
  log: LogSizes
  intake: Intake
  maxRisk?: number | undefined
}

/** The receipt of a draft that was written. `manifest` lists its files. */
export function composeReceipt(draft: Draft | PartsDraft, manifest: Manifest, input: Input): Receipt {
  const { log, intake, maxRisk } = input
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
      files: intake.files.map(({ path, bytes, lines, sha256, index }) => {
        return { path, bytes, lines, sha256, ...(index && { index }) }
      }),
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
    ...(maxRisk !== undefined && { maxRisk }),
  }
}

function countReleased(manifest: Manifest): Receipt["released"] {
  const rows = manifest.files.reduce((sum, file) => sum + file.rows, 0)
  if (!isTablesManifest(manifest)) return { rows }
  return { rows, tables: Object.fromEntries(manifest.files.map((file) => [tableName(file.path), file.rows])) }
}

/** The name of the table in a file: its path without the extension. */
const tableName = (path: string) => path.slice(0, path.indexOf("."))
