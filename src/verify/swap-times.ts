import { fileRow } from "./release-checks.ts"
import type { Units } from "./swap-cells.ts"
import type { Records, SwapSubject } from "./swap-records.ts"
import type { Check } from "./verifier.ts"

export const timePromises = {
  cells: { name: "cell-times", promise: "a cell shows one time, and none of its searches was later" },
  stream: { name: "cell-times", promise: "a cell shows one time, that of a search of the log" },
  own: { name: "own-times", promise: "a record shows the time of its search" },
}

/** Cuts times as the policy does. */
export function timeCutter(policy: unknown): (seconds: number) => number {
  const unit = policy === "hour" ? 3600 : policy === "day" ? 86400 : 1
  return (seconds) => Math.floor(seconds / unit) * unit
}

export function checkOwnTimes(subject: SwapSubject, records: Records): Check {
  const { release, released, log } = subject
  const { time } = release.manifest.parameters
  if (time === "drop") return { ...timePromises.own, state: "not promised", detail: "no times are shown" }
  const cut = timeCutter(time)
  for (let i = 0; i < records.count; i++) {
    const row = records.row[i]
    if (released.time[row] !== cut(log.time[records.source[i]]))
      return { ...timePromises.own, state: "failed", row: fileRow(release, released, row) }
  }
  return { ...timePromises.own, state: "passed" }
}

/**
 * Checks that a cell has one time, between the last of its searches and the end of the log. A stream processes searches
 * as they come; there the time is that of the search that closed the cell.
 */
export function checkCellTimes(
  subject: SwapSubject,
  records: Records,
  { units: { starts, cellOf }, isStream }: { units: Units; isStream: boolean },
): Check {
  const { release, released, log } = subject
  const about = timePromises[isStream ? "stream" : "cells"]
  const { time } = release.manifest.parameters
  if (time === "drop") return { ...about, state: "not promised", detail: "no times are shown" }
  const fails = (row: number, detail: string): Check => {
    return { ...about, state: "failed", row: fileRow(release, released, row), detail }
  }
  const cut = timeCutter(time)
  const last = cut(log.time.reduce((latest, seconds) => Math.max(latest, seconds), -Infinity))
  const isTime = new Set(isStream ? log.time.map(cut) : [])
  const rowOf = new Int32Array(starts.length - 1).fill(-1) // one row of each cell
  for (let i = 0; i < records.count; i++) {
    const [row, cell] = [records.row[i], cellOf[i]]
    const shown = released.time[row]
    if (rowOf[cell] < 0) rowOf[cell] = row
    if (shown !== released.time[rowOf[cell]]) return fails(row, "two times in a cell")
    if (isStream) {
      if (!isTime.has(shown)) return fails(row, "a time of no search")
      continue
    }
    if (shown < cut(log.time[records.source[i]])) return fails(row, "a time before the search")
    if (shown > last) return fails(row, "a time after the log")
  }
  return { ...about, state: "passed" }
}
