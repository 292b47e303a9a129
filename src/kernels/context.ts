import { availableParallelism } from "node:os"
import { QueryveilError } from "./error.ts"
import { cryptoRandom, type RandomSource, seededRandom } from "./random.ts"

/** How far a stage has got. Never contains text from the log. */
export interface Progress {
  stage: string
  done: number
  total?: number
  /** Lines read so far, while a log is read. */
  rows?: number
  /** Seconds left, if the reporter knows better than the rate so far suggests. */
  left?: number
  /** The steps that the stage is part of, outermost first. */
  steps?: readonly ProgressStep[]
}

/** A step of a longer run: `point 2 of 9: equality, k = 5`. Never contains text from the log. */
export interface ProgressStep {
  /** The kind of step: `point`, `attack`. */
  kind: string
  /** Counted from 1. */
  number: number
  total: number
  name: string
}

/** A message to the owner during a run. Never contains text from the log. */
export interface Notice {
  kind: "note" | "warning"
  text: string
}

/** What a run gets from outside: randomness, cancellation, cores, a clock and a place for reports. */
export interface RunContext {
  readonly random: RandomSource
  readonly signal: AbortSignal
  readonly workers: number
  /** Milliseconds since 1970. */
  now(): number
  /** Reports how far the run has got, never with text from a log. */
  report(progress: Progress): void
  /** Reports how a log was read, and warnings. */
  notify?(notice: Notice): void
  /**
   * Called before a method draws noise that costs a budget. `anonymize` adds the id of the release. An error stops the
   * run.
   */
  beforeNoise?(release?: string): Promise<void>
  /** True in the points of a study: what follows from texts alone is kept in the thread for other points. */
  readonly shares?: boolean
  /**
   * True if an attack makes a release only to look at its rows. A method may then leave out what it measures for the
   * owner.
   */
  readonly rowsOnly?: boolean
}

/** Where a run gets its randomness, where it reports, and what can stop it. Everything has a default. */
export interface ContextOptions {
  /** Repeatable randomness, for studies, tests and benches. The results are marked `seeded`. */
  seed?: number
  /** Stops the run at its next check (default: nothing stops it). */
  signal?: AbortSignal
  /** Number of threads (default: one per core of the machine). */
  workers?: number
  /** Milliseconds since 1970 (default: the machine's clock). */
  now?: () => number
  /** Called with the progress of the run, never with text from a log. */
  report?: (progress: Progress) => void
  /** Called with notes and warnings as they come. Results list the warnings too. */
  notify?: (notice: Notice) => void
}

/**
 * The context that everything takes as its last argument. Without a seed its randomness is cryptographic, as a release
 * requires.
 */
export function createContext(options: ContextOptions = {}): RunContext {
  return {
    random: options.seed === undefined ? cryptoRandom() : seededRandom(options.seed),
    signal: options.signal ?? new AbortController().signal,
    workers: options.workers ?? availableParallelism(),
    now: options.now ?? Date.now,
    report: options.report ?? (() => {}),
    ...(options.notify && { notify: options.notify }),
  }
}

/** The context of a step: its reports name the step too. The start of the step is reported at once. */
export function enterStep(context: RunContext, step: ProgressStep): RunContext {
  const report: RunContext["report"] = (progress) =>
    context.report({ ...progress, steps: [step, ...(progress.steps ?? [])] })
  report({ stage: "starting", done: 0 })
  return { ...context, report }
}

/** Call between slices of a long loop. Lets timers and signals run, reports, and stops the run if it was cancelled. */
export async function yieldAndReport(context: RunContext, progress: Progress): Promise<void> {
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
