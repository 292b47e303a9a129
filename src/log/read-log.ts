import { type Static, Type } from "typebox"
import type { RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { lineBlocks } from "./blocks.ts"
import { openCache } from "./cache.ts"
import { isAol, planAol } from "./formats/aol.ts"
import { type ColumnChoice, parseColumns } from "./formats/columns.ts"
import { isDelimited, planDelimited } from "./formats/delimited.ts"
import { findInputs } from "./inputs.ts"
import { type LineSource, parseSources, type ReadResult, refuseRejects } from "./parse-sources.ts"

export const readOptions = Type.Object({
  format: Type.Enum(["auto", "aol", "delimited"], {
    default: "auto",
    description: "format of LOG: told from its first bytes, or aol, or delimited (CSV, TSV and the like)",
  }),
  columns: Type.Optional(
    Type.String({
      placeholder: "list",
      description: "where the columns are, by header name or position, for example user=1,query=3,time=2,rank=4,url=5",
    }),
  ),
  strict: Type.Boolean({ default: false, description: "stop at the first line that is not a row" }),
  cache: Type.Optional(
    Type.String({
      placeholder: "dir",
      description: "folder that keeps the parsed log, so that a second run does not parse again (private)",
    }),
  ),
})

export type ReadOptions = Static<typeof readOptions>

/** How the columns of a file are told from its first bytes. What nothing can be told from is taken for the AOL layout. */
function plannerOf(format: ReadOptions["format"], columns: ColumnChoice | undefined, path: string): LineSource["plan"] {
  return (head) => {
    if (format === "delimited" || columns !== undefined) return planDelimited(head, { columns: columns ?? {}, path })
    if (format === "aol" || isAol(head) || !isDelimited(head)) return planAol(head)
    return planDelimited(head, { columns: {}, path })
  }
}

/**
 * Reads a search log: paths, globs and `-`, plain or gzip. The same input always gives the same log.
 */
export async function readLog(
  input: string | readonly string[],
  options: Partial<ReadOptions>,
  context: RunContext,
): Promise<ReadResult> {
  const { format = "auto", strict = false } = options
  const columns = options.columns === undefined ? undefined : parseColumns(options.columns)
  if (columns !== undefined && format === "aol") {
    throw new QueryveilError("usage", "--columns goes with --format delimited: the columns of aol are known.", {
      flag: "--columns",
    })
  }
  const inputs = await findInputs(typeof input === "string" ? [input] : input)
  const cache =
    options.cache === undefined
      ? undefined
      : await openCache(options.cache, { inputs, format, columns: options.columns })
  const kept = await cache?.load(context)
  const sources = inputs.map((file): LineSource => {
    const { path, size } = file
    return {
      path,
      ...(size === undefined ? {} : { size }),
      blocks: (count) => lineBlocks(file, count),
      plan: plannerOf(format, columns, path),
    }
  })
  const result = kept ?? (await parseSources(sources, { format, strict }, context))
  if (strict) refuseRejects(result.intake)
  if (kept === undefined && cache !== undefined) await cache.save(result, context)
  return result
}
