import { type Static, Type } from "#typebox"
import { clusterSchemes } from "../cluster/cluster-address.ts"
import { refuseUnknownOption, refuseWrongValue } from "../kernels/check-options.ts"
import { createContext, type RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { openCache } from "./cache.ts"
import { checkEncoding } from "./decode.ts"
import { doubtUsers } from "./doubt-users.ts"
import { type ColumnChoice, parseColumns } from "./formats/columns.ts"
import { formatNames, formatRegistry } from "./formats/format-registry.ts"
import { jsonPathReader } from "./formats/json-path.ts"
import { findInputs, type InputFile, type InputFinder } from "./inputs.ts"
import { type LineSource, parseSources, type ReadResult, refuseRejects } from "./parse-sources.ts"
import { readSource } from "./read-source.ts"
import { units } from "./search-log.ts"

const formatOption = () =>
  Type.Enum(["auto" as const, ...formatNames()], {
    default: "auto",
    placeholder: "name",
    description: `read LOG in this format; auto detects it: ${formatNames().join(", ")}`,
  })

/** How to read a log. Every option has a default: `{}` reads any format that can be detected from its content. */
export const readOptions = Type.Object({
  format: formatOption(),
  columns: Type.Optional(
    Type.String({
      placeholder: "list",
      description:
        "name the columns, by name (in JSON: path) or position, for example user=1,query=3,time=2,rank=4,url=5",
    }),
  ),
  jsonPath: Type.Optional(
    Type.String({ placeholder: "path", description: "find the query at this path in the searches of a slow log" }),
  ),
  unit: Type.Enum([...units], {
    default: "user",
    description: "count users, or sessions, for which the release states a weaker promise",
  }),
  encoding: Type.Optional(
    Type.String({
      placeholder: "name",
      description: "read LOG in this encoding, such as latin1 or gb18030 (default UTF-8)",
    }),
  ),
  since: Type.Optional(
    Type.String({ placeholder: "time", description: "of an index, read what is not earlier than this time (UTC)" }),
  ),
  until: Type.Optional(
    Type.String({
      placeholder: "time",
      description: "of an index, read what is earlier than this time (default the start of the run)",
    }),
  ),
  filter: Type.Optional(
    Type.String({
      placeholder: "file",
      description: "of an index, read what matches the query in this JSON file, in the query language of the cluster",
    }),
  ),
  strict: Type.Boolean({ default: false, description: "stop at the first line that is not a row" }),
  cache: Type.Optional(
    Type.String({
      placeholder: "dir",
      description: "keep the parsed log in this folder, so that a second run is faster (private)",
    }),
  ),
})

/** How to read a log: `readOptions` as a type. */
export type ReadOptions = Static<typeof readOptions>

/**
 * Reads a search log from paths, globs and `-`, plain or gzip, in any of the formats, and from indices of OpenSearch or
 * Elasticsearch. The same input always gives the same log.
 */
export async function readLog(
  input: string | readonly string[],
  options: Partial<ReadOptions> = {},
  context: RunContext = createContext(),
): Promise<ReadResult> {
  checkOptions(options)
  const { format = "auto", unit = "user", encoding, jsonPath, strict = false } = options
  const columns = options.columns === undefined ? undefined : parseColumns(options.columns)
  if (encoding !== undefined) checkEncoding(encoding)
  if (jsonPath !== undefined) jsonPathReader(jsonPath, "--json-path")
  const inputs = await findInputs(
    typeof input === "string" ? [input] : input,
    indexFinders({ ...options, format, columns }, context),
  )
  refuseRange(inputs, options)
  const reading = { format, columns, jsonPath, unit, encoding }
  const added = formatRegistry.added.map(({ name }) => name)
  const cacheKey = { inputs, reading: added.length === 0 ? reading : { ...reading, added } }
  const cache = options.cache === undefined ? undefined : await openCache(options.cache, cacheKey)
  const kept = await cache?.load(context)
  const sources = inputs.map((file): LineSource => {
    const { path, size, remote } = file
    const blocks: LineSource["blocks"] = (count) => readSource(file, count, reading)
    return { path, ...(size === undefined ? {} : { size }), ...(remote && { remote }), blocks }
  })
  const result =
    kept ??
    (await parseSources(sources, { format, strict, unit, ...(encoding === undefined ? {} : { encoding }) }, context))
  if (kept === undefined) result.intake.doubts = doubtUsers(result)
  if (strict) refuseRejects(result.intake)
  if (kept === undefined && cache !== undefined) {
    if (!added.includes(result.intake.format)) await cache.save(result, context)
    // An extension may change how it reads, and the cache would not notice.
    else result.intake.warnings.push("What is read by an extension's format is not kept in the cache.")
  }
  return result
}

/** Finds indices of a cluster. What speaks to clusters is loaded only if an index is named. */
function indexFinders(
  { since, until, filter, format, columns }: RangeOptions & { format: string; columns: ColumnChoice | undefined },
  context: RunContext,
): Record<string, InputFinder> {
  const find: InputFinder = async (pattern) => {
    const { indexInput, parseMoment, readFilter } = await import("./opensearch/index-input.ts")
    const range = {
      ...(since !== undefined && { since: parseMoment(since, "--since") }),
      ...(until !== undefined && { until: parseMoment(until, "--until") }),
      ...(filter !== undefined && { filter: await readFilter(filter) }),
    }
    return [indexInput(pattern, { range, now: context.now(), format, columns, notify: context.notify })]
  }
  return Object.fromEntries(clusterSchemes.map((scheme) => [scheme, find]))
}

type RangeOptions = Pick<Partial<ReadOptions>, "since" | "until" | "filter">

/** Refuses options of an index if no index is read: they would have no effect. */
function refuseRange(inputs: readonly InputFile[], options: RangeOptions): void {
  const given = (["since", "until", "filter"] as const).find((name) => options[name] !== undefined)
  if (given === undefined || inputs.some(({ remote }) => remote !== undefined)) return
  throw new QueryveilError("usage", `--${given} is for an index, such as opensearch://HOST:9200/INDEX.`, {
    flag: `--${given}`,
  })
}

/** Refuses what the command line would refuse: a caller from JavaScript has no compiler to check the options. */
function checkOptions(options: Partial<ReadOptions>): void {
  refuseUnknownOption("readLog", options, Object.keys(readOptions.properties))
  const schema = Type.Object({ ...readOptions.properties, format: formatOption() }) // extensions can add formats
  refuseWrongValue("readLog", Type.Partial(schema), options)
}
