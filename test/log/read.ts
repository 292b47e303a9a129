import { type ContextOptions, createContext } from "#dist/kernels/context.js"
import type { ReadResult } from "#dist/log/parse-sources.js"
import { type ReadOptions, readLog } from "#dist/log/read-log.js"

/** `readLog` in this thread, unless the context says otherwise. */
export function read(
  input: string | readonly string[],
  options: Partial<ReadOptions> = {},
  context: ContextOptions = {},
): Promise<ReadResult> {
  return readLog(input, options, createContext({ workers: 1, ...context }))
}

/** The reason with which a reading is refused. */
export function refusal(result: Promise<ReadResult>): Promise<unknown> {
  return result.then(
    () => undefined,
    (error: unknown) => error,
  )
}
