import type { RunContext } from "../kernels/context.ts"
import { describeReading } from "../log/formats/reading.ts"
import type { ReadResult } from "../log/parse-sources.ts"
import { readLog, readOptions } from "../log/read-log.ts"
import { refusePrivate } from "../release/write-release.ts"
import { type LogOptions, pickOptions } from "./options.ts"
import { writeRejects } from "./write-rejects.ts"

/** Where a log is: its files, globs or `-`, or what `readLog` returned. */
export type LogPlace = string | readonly string[] | ReadResult

/** True for a log that has been read already. */
export const isRead = (log: LogPlace): log is ReadResult => typeof log === "object" && "intake" in log

/**
 * Reads a log unless it was read before, lists its rejected lines if requested, and reports how it was read. A log of
 * one person (`ofOne`) gets no warning for having one user. Options that are not about reading are ignored.
 */
export async function openLog(
  log: LogPlace,
  options: LogOptions & { ofOne?: boolean },
  context: RunContext,
): Promise<ReadResult> {
  if (options.cache !== undefined) await refusePrivate(options.cache) // the cache holds the whole parsed log
  const result = isRead(log) ? log : await readLog(log, pickOptions(readOptions, options), context)
  const { intake } = result
  if (options.rejects !== undefined) await writeRejects(options.rejects, intake)
  for (const reading of intake.read) context.notify?.({ kind: "note", text: describeReading(reading, intake.unit) })
  for (const text of [...intake.warnings, ...(options.ofOne === true ? [] : intake.doubts)]) warn(context, text)
  return result
}

export function warn(context: RunContext, text: string): void {
  context.notify?.({ kind: "warning", text })
}

/** The context, and a list that its warnings are added to. */
export function listWarnings(context: RunContext): { context: RunContext; warnings: string[] } {
  const warnings: string[] = []
  const notify: RunContext["notify"] = (notice) => {
    if (notice.kind === "warning") warnings.push(notice.text)
    context.notify?.(notice)
  }
  return { context: { ...context, notify }, warnings }
}
