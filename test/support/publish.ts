import { type ContextOptions, createContext } from "#dist/kernels/context.js"
import type { ReadResult } from "#dist/log/parse-sources.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import type { RowsManifest } from "#dist/release/manifest.js"
import type { MethodChoice, MethodOptions } from "#dist/release/method-options.js"
import { type WriteOptions, writeRelease } from "#dist/release/write-release.js"

export interface Publication {
  manifest: RowsManifest
  input: ReadResult
  warnings: string[]
}

/** Turns a log file into a release folder in this thread, as `anonymize` does. Default method: plain k-anonymity. */
export async function publish(
  log: string,
  folder: string,
  options:
    | MethodChoice<"equality" | "affinity" | "wordnet" | "groups" | "swap">
    | (MethodOptions["equality"] & { method?: never; preset?: "paper" }) = {},
  write: WriteOptions & { context?: ContextOptions } = {},
): Promise<Publication> {
  const context = createContext({ workers: 1, ...write.context })
  const input = await readLog(log, {}, context)
  const draft = await anonymize(input.log, { k: 3, method: "equality", ...options }, context)
  if (draft.kind !== "rows") throw new Error("a method that releases rows is expected")
  const manifest = await writeRelease(draft, folder, { ...write, input }, context)
  return { manifest, input, warnings: draft.warnings }
}

/** The reason with which a promise was rejected; undefined if it was fulfilled. */
export function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}
