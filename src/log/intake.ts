import { type RejectReason, rejectMeanings, rejectReasons } from "./formats/parsed-block.ts"
import type { Reading } from "./formats/reading.ts"
import type { Unit } from "./search-log.ts"

/** One input file as it was read. */
export interface FileIntake {
  path: string
  /** As stored, compressed or not. */
  bytes: number
  sha256: string
  /** Line numbers of this file are those of the log minus `linesBefore`. */
  linesBefore: number
  lines: number
}

/** Everything about a reading but the log itself. Private: it describes the input. */
export interface Intake {
  format: string
  unit: Unit
  /** Which columns were read, each way once. */
  read: Reading[]
  /** As it was said; undefined: UTF-8. */
  encoding?: string
  files: FileIntake[]
  lines: number
  rejected: Partial<Record<RejectReason, number>>
  rejects: { line: Uint32Array; reason: Uint8Array }
  /** Rows left out because they log a search again that another row logs already: shards, events sent twice. */
  collapsed: number
  warnings: string[]
  /** Why the user may be another column than the one that was read. */
  doubts: string[]
  /** The log came from the cache. */
  cached: boolean
}

/** Where a line of the log is: which file, and which line of it. */
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

/** `12 empty query, 3 unreadable time` */
export function describeRejects(rejected: Intake["rejected"]): string {
  return rejectReasons
    .filter((reason) => rejected[reason] !== undefined)
    .map((reason) => `${rejected[reason]} ${rejectMeanings[reason]}`)
    .join(", ")
}
