import type { RunContext } from "../../kernels/context.ts"
import type { JsonObject } from "../../log/formats/json-record.ts"

/**
 * A step of a plan that runs next to the data: a program that reads documents from its standard input and writes
 * documents to its standard output, one JSON object a line. An engine starts one process per task, and starts a task
 * again when a machine is lost. So a kernel must give the same answer when it is run again: what it draws, it draws
 * with a key from its input.
 */
export interface Kernel {
  name: string
  /** Starts a run. The options hold no text of the log and no secret: an engine shows them in its pages. */
  start(options: JsonObject, context: RunContext): Promise<KernelRun>
}

/** One run of a kernel over the rows of one task. */
export interface KernelRun {
  /** Takes the next documents, in order, and returns the documents to write. */
  take(documents: readonly JsonObject[]): readonly object[] | Promise<readonly object[]>
  /** Returns what is left to write when the input has ended. */
  finish?(): readonly object[] | Promise<readonly object[]>
}

/**
 * The last line of every run. An engine takes a process that ended early with exit code 0 for a complete one, so the
 * driver adds up these numbers and compares them with its own counts.
 */
export interface KernelEnd {
  end: { read: number; written: number; version: string }
}
