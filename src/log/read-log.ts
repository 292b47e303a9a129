import { type Static, Type } from "typebox"
import type { RunContext } from "../kernels/context.ts"
import { lineBlocks } from "./blocks.ts"
import { openCache } from "./cache.ts"
import { planAol } from "./formats/aol.ts"
import { findInputs } from "./inputs.ts"
import { type LineSource, parseSources, type ReadResult, refuseRejects } from "./parse-sources.ts"

export const readOptions = Type.Object({
  format: Type.Enum(["aol"], { default: "aol", description: "format of LOG" }),
  strict: Type.Boolean({ default: false, description: "stop at the first line that is not a row" }),
  cache: Type.Optional(
    Type.String({
      placeholder: "dir",
      description: "folder that keeps the parsed log, so that a second run does not parse again (private)",
    }),
  ),
})

export type ReadOptions = Static<typeof readOptions>

/** How a format tells the columns from a file's first bytes. */
const planners: Record<ReadOptions["format"], LineSource["plan"]> = { aol: planAol }

/**
 * Reads a search log: paths, globs and `-`, plain or gzip. The same input always gives the same log.
 */
export async function readLog(
  input: string | readonly string[],
  options: Partial<ReadOptions>,
  context: RunContext,
): Promise<ReadResult> {
  const { format = "aol", strict = false } = options
  const inputs = await findInputs(typeof input === "string" ? [input] : input)
  const cache = options.cache === undefined ? undefined : await openCache(options.cache, { inputs, format })
  const kept = await cache?.load(context)
  const sources = inputs.map((file): LineSource => {
    const { path, size } = file
    return {
      path,
      ...(size === undefined ? {} : { size }),
      blocks: (count) => lineBlocks(file, count),
      plan: planners[format],
    }
  })
  const result = kept ?? (await parseSources(sources, { format, strict }, context))
  if (strict) refuseRejects(result.intake)
  if (kept === undefined && cache !== undefined) await cache.save(result, context)
  return result
}
