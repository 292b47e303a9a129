/** The result of one case of a bench. `rate` is in rows (or whatever the bench counts) per second. */
export interface Finding {
  count: number
  seconds: number
  /** Why there is no result: the other numbers mean nothing. */
  skipped?: string
  /** Of another process that the case measures, in its own place. */
  peakMegabytes?: number
  [extra: string]: number | string
}

/** One thing to time, in a process of its own so that its peak memory is its own. */
interface BenchCase {
  name: string
  run(): Promise<Finding>
}

/** A target: a limit on a case's rate, time or memory, or on the ratio of two cases' rates. */
export interface Target {
  what: string
  limit: string
  /** The measured value, and whether it meets the limit. */
  check(findings: ReadonlyMap<string, Finding & { peakMegabytes: number }>): { value: string; met: boolean }
}

export interface Bench {
  name: string
  /** Makes the input of the cases. Runs once, before them. */
  prepare(): Promise<void>
  /** Each case is stopped, and skipped, after this time (default: never). */
  limitSeconds?: number
  cases: readonly BenchCase[]
  targets: readonly Target[]
  /** More results for readers, as a table. */
  print?(findings: ReadonlyMap<string, Finding>): string
}

/** Times an action with the monotonic clock of the machine, and the processor time of this process. */
export async function timed<T>(
  action: () => T | Promise<T>,
): Promise<{ seconds: number; cpu: number; value: Awaited<T> }> {
  const [before, begun] = [process.cpuUsage(), performance.now()]
  const value = await action()
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(before)
  return { seconds, cpu: (user + system) / 1e6, value }
}

export function rateAtLeast(name: string, rows: number): Target {
  return {
    what: `${name}: rows/s`,
    limit: `≥ ${rows.toLocaleString("en")}`,
    check: (findings) => {
      const rate = rateOf(findings, name)
      return { value: Math.round(rate).toLocaleString("en"), met: rate >= rows }
    },
  }
}

export function memoryAtMost(name: string, megabytes: number): Target {
  return {
    what: `${name}: peak memory`,
    limit: `≤ ${megabytes.toLocaleString("en")} MB`,
    check: (findings) => {
      const peak = findings.get(name)?.peakMegabytes ?? Number.NaN
      return { value: `${Math.round(peak).toLocaleString("en")} MB`, met: peak <= megabytes }
    },
  }
}

export function secondsAtMost(name: string, seconds: number): Target {
  return {
    what: `${name}: time`,
    limit: `≤ ${seconds} s`,
    check: (findings) => {
      const taken = findings.get(name)?.seconds ?? Number.NaN
      return { value: `${taken.toFixed(1)} s`, met: taken <= seconds }
    },
  }
}

export function ratioAtLeast(fast: string, reference: string, ratio: number): Target {
  return {
    what: `${fast} over ${reference}`,
    limit: `≥ ${ratio}×`,
    check: (findings) => {
      const value = rateOf(findings, fast) / rateOf(findings, reference)
      return { value: `${value.toFixed(1)}×`, met: value >= ratio }
    },
  }
}

function rateOf(findings: ReadonlyMap<string, Finding>, name: string): number {
  const finding = findings.get(name)
  return finding === undefined ? Number.NaN : finding.count / finding.seconds
}
