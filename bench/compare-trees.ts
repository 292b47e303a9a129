import type { Finding } from "./case.ts"

/** What the runs of one case found, or why there are none: the tree does not have the case, or it failed there. */
export type Runs = readonly Finding[] | "missing" | "failed"

/** One case in two trees. Times are medians in seconds. */
export interface Comparison {
  bench: string
  name: string
  reference: number | "missing" | "failed"
  here: number | "missing" | "failed"
  /** Time for the same work: 2 is twice as slow here. Undefined if there is nothing to compare. */
  ratio?: number
  /** How far the runs of one tree differ: half of their range, as a share of the median; the larger of both trees. */
  spread?: number
  verdict: "slower" | "faster" | "same" | "not compared"
}

/** A smaller difference is not reported, even if all runs agree. */
const tolerance = 0.1

/**
 * Compares the runs of one case. A tree is slower (or faster) if the times of the same work differ by more than 10 %
 * plus the spread. Work is what the case counts, so a case that does more in one tree is compared by its rate.
 */
export function compareRuns(
  { bench, name }: { bench: string; name: string },
  { reference, here }: { reference: Runs; here: Runs },
): Comparison {
  const times = { reference: timeOf(reference), here: timeOf(here) }
  if (typeof reference === "string" || typeof here === "string")
    return { bench, name, ...times, verdict: "not compared" }
  const [before, now] = [reference, here].map((runs) => runs.map(({ count, seconds }) => seconds / count))
  const ratio = median(now) / median(before)
  const spread = Math.max(spreadOf(before), spreadOf(now))
  const margin = 1 + tolerance + spread
  const verdict = ratio > margin ? "slower" : ratio < 1 / margin ? "faster" : "same"
  return { bench, name, ...times, ratio, spread, verdict }
}

/** The comparisons as a table for people. */
export function comparisonTable(comparisons: readonly Comparison[], reference: string): string {
  const head = ["case", reference, "here", "ratio", "spread", ""]
  const rows = comparisons.map(({ bench, name, ratio, spread, verdict, ...times }) => [
    `${bench}: ${name}`,
    showTime(times.reference),
    showTime(times.here),
    ratio === undefined ? "" : ratio.toFixed(2),
    spread === undefined ? "" : `±${(100 * spread).toFixed(0)} %`,
    verdict === "same" ? "" : verdict === "slower" ? "SLOWER" : verdict,
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)))
  const lines = [head, ...rows].map((row) =>
    row.map((cell, column) => (column % 5 === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))),
  )
  return lines.map((cells) => `${cells.join("  ").trimEnd()}\n`).join("")
}

function showTime(time: Comparison["here"]): string {
  if (typeof time === "string") return time
  return time < 1 ? `${(1000 * time).toPrecision(3)} ms` : `${time.toFixed(2)} s`
}

const timeOf = (runs: Runs) => (typeof runs === "string" ? runs : median(runs.map(({ seconds }) => seconds)))

function spreadOf(times: readonly number[]): number {
  return (Math.max(...times) - Math.min(...times)) / 2 / median(times)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
