import { availableParallelism } from "node:os"
import { QueryveilError } from "./error.ts"
import { cryptoRandom, type RandomSource, seededRandom } from "./random.ts"

/** How far a stage has come. Never carries text from the log. */
export interface Progress {
  stage: string
  done: number
  total?: number
  /** Seconds left, where who reports knows better than the rate so far tells. */
  left?: number
}

/** What a run is given from outside: randomness, cancellation, cores, a clock and somewhere to report. */
export interface RunContext {
  readonly random: RandomSource
  readonly signal: AbortSignal
  readonly workers: number
  now(): number
  report(progress: Progress): void
}

export interface ContextOptions {
  /** Repeatable randomness, for studies, tests and benches. What it makes says `seeded`. */
  seed?: number
  signal?: AbortSignal
  workers?: number
  now?: () => number
  report?: (progress: Progress) => void
}

export function createContext(options: ContextOptions = {}): RunContext {
  return {
    random: options.seed === undefined ? cryptoRandom() : seededRandom(options.seed),
    signal: options.signal ?? new AbortController().signal,
    workers: options.workers ?? availableParallelism(),
    now: options.now ?? Date.now,
    report: options.report ?? (() => {}),
  }
}

/**
 * Call between slices of a long loop: lets timers and signals in, reports, and stops the run when it was cancelled.
 */
export async function breathe(context: RunContext, progress: Progress): Promise<void> {
  context.report(progress)
  await new Promise<void>((resolve) => setImmediate(resolve))
  stopIfCancelled(context)
}

export function stopIfCancelled(context: RunContext): void {
  if (context.signal.aborted) throw interruption()
}

export function interruption(): QueryveilError {
  return new QueryveilError("interrupted", "Interrupted. Nothing was left half written.")
}
