import { availableParallelism } from "node:os"
import { QueryveilError } from "./error.ts"
import { cryptoRandom, type RandomSource, seededRandom } from "./random.ts"

/** How far a stage has come. Never carries text from the log. */
export interface Progress {
  stage: string
  done: number
  total?: number
  /** Seconds left, if the reporter knows better than the rate so far suggests. */
  left?: number
  /** The steps that the stage is part of, outermost first. */
  steps?: readonly ProgressStep[]
}

/** A step of a longer run: `point 2 of 9: equality, k = 5`. Never carries text from the log. */
export interface ProgressStep {
  /** What is counted: `point`, `attack`. */
  kind: string
  /** From 1. */
  number: number
  total: number
  name: string
}

/** Something the owner should know while a run goes on. Never carries text from the log. */
export interface Notice {
  kind: "note" | "warning"
  text: string
}

/** What a run is given from outside: randomness, cancellation, cores, a clock and somewhere to report. */
export interface RunContext {
  readonly random: RandomSource
  readonly signal: AbortSignal
  readonly workers: number
  /** Milliseconds since 1970. */
  now(): number
  /** Says how far the run is, never with text from a log. */
  report(progress: Progress): void
  /** Says how a log was read, and warns. */
  notify?(notice: Notice): void
  /** Called before a method draws noise that costs a budget; `anonymize` adds the id of the release. What it throws stops the run. */
  beforeNoise?(release?: string): Promise<void>
}

/** What a run draws from, reports to and is stopped by; everything has a default. */
export interface ContextOptions {
  /** Repeatable randomness, for studies, tests and benches. What it makes says `seeded`. */
  seed?: number
  /** Stops the run where it next looks; nothing stops it unless it is given. */
  signal?: AbortSignal
  /** Threads; as many as the machine has cores unless it is said. */
  workers?: number
  /** Milliseconds since 1970; the machine's clock unless it is given. */
  now?: () => number
  /** Told how far the run is, never with text from a log. */
  report?: (progress: Progress) => void
  /** Given notes and warnings as they come; results list the warnings too. */
  notify?: (notice: Notice) => void
}

/**
 * The context that everything takes as its last argument. Without a seed its randomness is cryptographic, as a
 * release needs it.
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

/** The context of a step: what is reported in it names the step too. The step itself is reported at once. */
export function enterStep(context: RunContext, step: ProgressStep): RunContext {
  const report: RunContext["report"] = (progress) =>
    context.report({ ...progress, steps: [step, ...(progress.steps ?? [])] })
  report({ stage: "starting", done: 0 })
  return { ...context, report }
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
