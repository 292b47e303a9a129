import type { JsonObject } from "./formats/json-record.ts"
import { type RejectReason, rejectMeanings, rejectReasons } from "./formats/parsed-block.ts"
import type { Reading } from "./formats/reading.ts"
import type { Unit } from "./search-log.ts"

/** One input file as it was read. */
export interface FileIntake {
  path: string
  /** As stored, compressed or not. */
  bytes: number
  sha256: string
  /**
   * Lines of the log before this file. A line number of the log minus `linesBefore` is the line number in this file.
   */
  linesBefore: number
  lines: number
  /** Set if the lines are documents of an index. */
  index?: IndexIntake
}

/** Which documents of an index were read. */
export interface IndexIntake {
  /** The field that `since` and `until` are about; absent if none is mapped as a date. */
  timeField?: string
  /** The first moment that was read, and the first that was not: ISO 8601, UTC. */
  since?: string
  until?: string
  /** The query that documents had to match. */
  filter?: JsonObject
  documents: number
}

/** Everything about reading a log, except the log itself. Private: it describes the input. */
export interface Intake {
  format: string
  unit: Unit
  /** Which columns were read. Each different reading is listed once. */
  read: Reading[]
  /** As given by the caller. Undefined: UTF-8. */
  encoding?: string
  files: FileIntake[]
  lines: number
  rejected: Partial<Record<RejectReason, number>>
  rejects: { line: Uint32Array; reason: Uint8Array }
  /**
   * Number of rows left out because another row already logs the same search: one line per shard, or an event sent
   * twice.
   */
  collapsed: number
  warnings: string[]
  /** Reasons why the user may be in another column than the one that was read. */
  doubts: string[]
  /** True if the log came from the cache. */
  cached: boolean
}

/** The file that contains a line of the log, and the line number within it. */
export function locateLine(files: readonly FileIntake[], line: number): { file: string; line: number } {
  let found = files[0]
  for (const file of files) if (file.linesBefore < line) found = file
  return { file: found.path, line: line - found.linesBefore }
}

export function countRejects(reasons: Uint8Array): Partial<Record<RejectReason, number>> {
  const counts: Partial<Record<RejectReason, number>> = {}
  for (const code of reasons) {
    const reason = rejectReasons[code]
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  return counts
}

/** Example: `12 empty query, 3 unreadable time`. */
export function describeRejects(rejected: Intake["rejected"]): string {
  return rejectReasons
    .filter((reason) => rejected[reason] !== undefined)
    .map((reason) => `${rejected[reason]} ${rejectMeanings[reason]}`)
    .join(", ")
}
