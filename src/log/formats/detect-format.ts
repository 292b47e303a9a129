import { QueryveilError } from "../../kernels/error.ts"
import type { Unit } from "../search-log.ts"
import { hasAolHeader, hasAolRows, planAol } from "./aol.ts"
import { type ColumnChoice, type ColumnName, columnNames } from "./columns.ts"
import { convertedCategory, convertedColumns, convertedKey } from "./convert-block.ts"
import { isDelimited, planDelimited, startsWithHeader } from "./delimited.ts"
import { type FormatName, formatRegistry } from "./format-registry.ts"
import { type JsonObject, parseRecord } from "./json-record.ts"
import { planJsonColumns, readingOfJson } from "./jsonl.ts"
import { knownReading } from "./known-columns.ts"
import { isParquet } from "./parquet.ts"
import type { Conversion, LinePlan } from "./parsed-block.ts"

/** What the caller said about the input. */
export interface FormatChoice {
  format: FormatName | "auto"
  columns: ColumnChoice | undefined
  jsonPath: string | undefined
  unit: Unit
}

/** The columns that the caller can name, by format. */
const namedColumns: Partial<Record<FormatName, readonly ColumnName[]>> = {
  delimited: columnNames,
  jsonl: columnNames,
  parquet: columnNames,
  slowlog: ["user", "time"],
  solr: ["user", "query"],
}

/**
 * The format of a file: as given, or else detected from its first bytes. If nothing can be detected, AOL's is assumed.
 */
export function detectFormat(head: Uint8Array, choice: FormatChoice): FormatName {
  const said = choice.format === "ga4" && isParquet(head) ? "parquet" : choice.format
  const format = said === "auto" ? guessFormat(head, choice.columns) : said
  refuseOptions(format, choice)
  return format
}

/** Refuses options that do not apply to a format. */
function refuseOptions(format: FormatName, { columns, jsonPath }: FormatChoice): void {
  const named = namedColumns[format]
  if (columns !== undefined && named === undefined) {
    throw new QueryveilError(
      "usage",
      `--columns is for ${Object.keys(namedColumns).join(", ")}. The columns of ${format} are known.`,
      { flag: "--columns" },
    )
  }
  const unnamed = columnNames.find((name) => columns?.[name] !== undefined && !named?.includes(name))
  if (unnamed !== undefined) {
    const instead = format === "slowlog" && unnamed === "query" ? " Name the query with --json-path." : ""
    throw new QueryveilError(
      "usage",
      `--columns can name the ${named?.join(" and the ")} of ${format}, but not the ${unnamed}.${instead}`,
      { flag: "--columns" },
    )
  }
  if (jsonPath !== undefined && format !== "slowlog") {
    throw new QueryveilError("usage", "--json-path is for --format slowlog. It says where the query is in a search.", {
      flag: "--json-path",
    })
  }
}

const sampleBytes = 1 << 16

function guessFormat(bytes: Uint8Array, columns: ColumnChoice | undefined): FormatName {
  if (isParquet(bytes)) return "parquet"
  const head = bytes.subarray(hasMark(bytes) ? 3 : 0)
  const text = Buffer.from(head.subarray(0, sampleBytes)).toString("utf8")
  const added = formatRegistry.added.find(({ tell }) => tell?.(text))
  if (added !== undefined) return added.name as FormatName
  if (isJson(text)) return guessJson(text)
  if (/\bpath=\S{1,200} params=\{/.test(text)) return "solr"
  if (columns !== undefined) return "delimited"
  if (hasAolHeader(head)) return "aol"
  if (startsWithHeader(head)) return "delimited"
  return hasAolRows(head) || !isDelimited(head) ? "aol" : "delimited"
}

/** True if the text begins with the byte-order mark of UTF-8. */
const hasMark = ([a, b, c]: Uint8Array) => a === 0xef && b === 0xbb && c === 0xbf

/** True if the text begins with an object, with an array of objects, or with an empty array. */
const isJson = (text: string) => /^\s*(?:\{\s*["}]|\[\s*[{\]])/.test(text)

/**
 * Detects a format by its members. A text that a person typed has its quotes escaped, so it cannot look like a member.
 */
function guessJson(text: string): FormatName {
  if (/"_index"\s*:\s*"ubi_/.test(text)) return "ubi"
  return formatOfMembers((name) => new RegExp(`(?<!\\\\)"${name}"\\s*:`).test(text))
}

/** The format of JSON records whose members have these names. `has` gets patterns. */
function formatOfMembers(has: (name: string) => boolean): FormatName {
  if (has("event_params") && has("user_pseudo_id")) return "ga4"
  if (has("actionDetails")) return "matomo"
  if (has("query_id") && (has("user_query") || has("action_name"))) return "ubi"
  if (has("[a-z.]*slowlog[a-z._]*") || (has("total_shards") && has("source"))) return "slowlog"
  return "jsonl"
}

/** The format of one JSON record, by the names of its own members alone: what is inside them is not looked at. */
export function formatOfRecord(record: JsonObject): FormatName {
  const names = Object.keys(record)
  return formatOfMembers((name) => names.some((own) => new RegExp(`^${name}$`).test(own)))
}

/** True if the records of a file are elements of one array and not lines. */
export function isArray(head: Uint8Array): boolean {
  return /^\s*\[/.test(Buffer.from(head.subarray(0, 1024)).toString("latin1"))
}

/** True if the records of a format are JSON values. */
export function hasJsonRecords(format: FormatName): boolean {
  const added = formatRegistry.findAdded(format)
  if (added !== undefined) return added.json === true
  return !["aol", "delimited", "solr", "parquet"].includes(format)
}

/** How the lines of a file become rows, planned from its first lines. */
export function planLines(format: FormatName, head: Uint8Array, options: FormatChoice & { path: string }): LinePlan {
  const { columns = {}, path, unit, jsonPath } = options
  if (format === "aol") return planAol(head, { said: options.format === "aol" })
  if (format === "delimited") return planDelimited(head, { columns, path, unit })
  const plan: LinePlan = {
    format,
    delimiter: 9,
    columns: convertedColumns,
    minFields: 3,
    maxFields: convertedCategory + 1,
    headerLines: 0,
    times: "any",
  }
  // In Parquet the category is the last of its own columns, because they have no key.
  if (format === "parquet") return { ...plan, columns: { ...convertedColumns, category: convertedKey } }
  const conversion: Conversion = {
    name: format,
    unit,
    columns: format === "jsonl" ? planJsonColumns(firstRecords(head), { columns, path, unit }) : columns,
    ...(jsonPath === undefined ? {} : { jsonPath }),
  }
  const added = formatRegistry.findAdded(format)
  const reading = format === "jsonl" ? readingOfJson(conversion.columns, columns) : knownReading(format, options)
  const categories = format === "jsonl" ? conversion.columns.category : added?.columns.category
  const hasCategory = categories !== undefined
  return {
    ...plan,
    ...(hasCategory ? { columns: { ...convertedColumns, category: convertedCategory } } : {}),
    conversion,
    reading,
    ...(format === "ubi" || added?.joinsClicks ? { key: convertedKey } : {}),
    ...collapsing[format],
  }
}

/**
 * In a slow log, the lines of one search on several shards have the same start. In GA4, the two events of one search
 * are close in time.
 */
export const collapsing: Partial<Record<FormatName, Pick<LinePlan, "collapseSeconds">>> = {
  slowlog: { collapseSeconds: 2 },
  ga4: { collapseSeconds: 10 },
}

/** All records of the first block, because the first ones may lack members that later ones have. */
export function firstRecords(head: Uint8Array): JsonObject[] {
  const lines = Buffer.from(head).toString("utf8").split("\n")
  return lines.map(parseRecord).filter((record) => record !== undefined)
}
