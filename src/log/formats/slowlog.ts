import { noTime, readTimeText } from "../../kernels/civil-time.ts"
import type { Cell, Cells, Converter } from "./convert-block.ts"
import { jsonPathReader, maxDepth } from "./json-path.ts"
import { cellOf, isObject, parseJson, parseRecord } from "./json-record.ts"
import type { Conversion, RejectReason } from "./parsed-block.ts"

/**
 * The search slow log of Elasticsearch or OpenSearch, in JSON: one line per shard and phase. Only lines of the query
 * phase are read. All lines of one search have the same start, which is the time of the line minus the time that the
 * shard took, so they are merged (`LinePlan.collapseSeconds`).
 *
 * The query is at `--json-path` in the search body, or else the first text of a full-text clause. The user is at
 * `--columns user=…`, or else the authenticated `user.name`. `X-Opaque-Id` is the user only if it is named: where it is
 * new for each request, the searches of one person would count as those of many.
 */
export function slowlogConverter({ jsonPath, columns }: Conversion): Converter {
  const read = (path: string) => jsonPathReader(path, "--columns")
  const member = (...paths: string[]) => {
    const readers = paths.map(read)
    return (record: unknown) => {
      for (const reader of readers) {
        const found = reader(record)
        if (found !== undefined) return found
      }
      return undefined
    }
  }
  const loggers = ["log.logger", "component", "type", "event.dataset", "logger"].map(read)
  const source = read("elasticsearch.slowlog.source")
  const otherSource = member("source", "opensearch.slowlog.source", "slowlog.source", "elasticsearch.slowlog.search")
  const user = columns.user === undefined ? member("user.name", "elasticsearch.slowlog.user") : read(columns.user)
  const time = columns.time === undefined ? member("@timestamp", "timestamp") : read(columns.time)
  const took = member("elasticsearch.slowlog.took_millis", "took_millis", "opensearch.slowlog.took_millis")
  const nanoseconds = read("event.duration")
  const query = jsonPath === undefined ? findFullText : jsonPathReader(jsonPath, "--json-path")

  return (line): Cells[] | RejectReason => {
    const record = parseRecord(line)
    if (record === undefined) return "syntax"
    const origin = loggers.map((logger) => logger(record) ?? "").join(" ")
    if (/fetch|indexing/i.test(origin)) return []
    const body = source(record) ?? otherSource(record)
    if (body === undefined) return /slowlog/i.test(origin) ? "query" : []
    const search = parseJson(String(body))
    if (!isObject(search)) return "syntax"
    const text = query(search)
    if (text === undefined) return "query"
    const millis = Number(took(record) ?? Number(nanoseconds(record) ?? 0) / 1e6)
    return [{ user: user(record), query: text, time: startOf(time(record), millis) }]
  }
}

/** When the search began, in milliseconds since 1970. */
function startOf(time: Cell, took: number): Cell {
  const text = String(time ?? "")
  const seconds = readTimeText(text)
  if (seconds === noTime || !(took >= 0)) return time
  const fraction = /[.,](\d{1,3})\d*/.exec(text)?.[1] ?? ""
  const millis = seconds * 1000 + Number(fraction.padEnd(3, "0")) - took
  return millis >= 1e12 ? Math.floor(millis) : time
}

const fullTextClauses = new Set([
  "match",
  "match_phrase",
  "match_phrase_prefix",
  "match_bool_prefix",
  "multi_match",
  "combined_fields",
  "query_string",
  "simple_query_string",
])

/** The text of the first full-text clause of a search, in the order in which the search is written. */
function findFullText(search: unknown, depth = maxDepth): Cell {
  if (typeof search !== "object" || search === null || depth === 0) return undefined
  for (const [name, value] of Object.entries(search)) {
    const found = (fullTextClauses.has(name) ? textOfClause(value) : undefined) ?? findFullText(value, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** The text in `{"query": "text"}`, `{"field": "text"}` or `{"field": {"query": "text"}}`. */
function textOfClause(clause: unknown): Cell {
  if (!isObject(clause)) return undefined
  const own = cellOf(clause.query)
  if (own !== undefined) return own
  for (const field of Object.values(clause)) {
    const found = isObject(field) ? cellOf(field.query) : cellOf(field)
    if (found !== undefined) return found
  }
  return undefined
}
