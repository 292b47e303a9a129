import { readFile } from "node:fs/promises"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import { isObject, type JsonObject, parseJson } from "../formats/json-record.ts"

/** Which documents of an index are read. */
export interface IndexRange {
  /** The first moment that is read, and the first that is not: ISO 8601, UTC. */
  since?: string
  until?: string
  /** A query of the cluster that documents must match. */
  filter?: JsonObject
}

const timeText = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i

/** A time as the cluster takes it. A time without a zone is UTC, and a date is its first moment. */
export function parseMoment(text: string, flag: string): string {
  const [, day = "", time = "00:00", zone = "Z"] = timeText.exec(text.trim()) ?? []
  const moment = Date.parse(`${day}T${time}${zone.toUpperCase()}`)
  if (Number.isFinite(moment) && isDay(day)) return new Date(moment).toISOString()
  throw new QueryveilError(
    "option-value",
    `${flag} ${text}: expected a date or a time, for example 2026-03-01 or 2026-03-01T12:00:00Z.`,
    { flag },
  )
}

/** False for a day that the calendar does not have, such as 2026-02-30. */
const isDay = (day: string) => new Date(Date.parse(day)).toISOString().startsWith(day)

/** Most bytes of a filter. */
const largestFilter = 1 << 20

/** The query in `--filter`: JSON, or the name of a file with JSON. `{"query": …}` around it is removed. */
export async function readFilter(text: string): Promise<JsonObject> {
  const flag = "--filter"
  const isText = text.trim().startsWith("{")
  const content = isText ? text : await readText(text, flag)
  const value = content.length > largestFilter ? undefined : parseJson(content)
  const query = isObject(value) && Object.keys(value).length === 1 && isObject(value.query) ? value.query : value
  if (isObject(query) && Object.keys(query).length === 1) return query
  const what = isText ? "" : ` ${text}`
  throw new QueryveilError(
    "option-value",
    `${flag}${what}: expected one query as the cluster takes it, for example {"term": {"application": "shop"}}.`,
    { flag },
  )
}

async function readText(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, "utf8")
  } catch (cause) {
    const why = systemCode(cause)
    throw new QueryveilError(
      why === "ENOENT" ? "input-missing" : "input-unreadable",
      `${flag} ${path}: ${why === "ENOENT" ? "there is no such file" : `cannot be read (${why})`}. Check the path.`,
      { file: path, flag },
    )
  }
}

/** The part of a query that asks for a range of time. The times have one form, whatever the mapping says. */
export function rangeQuery(field: string | undefined, { since, until }: IndexRange): JsonObject {
  if (field === undefined || (since === undefined && until === undefined)) return { match_all: {} }
  const bounds = { ...(since !== undefined && { gte: since }), ...(until !== undefined && { lt: until }) }
  return { range: { [field]: { ...bounds, format: "strict_date_optional_time" } } }
}

/** All conditions together. They do not score. */
export const filterQuery = (...conditions: readonly (JsonObject | undefined)[]): JsonObject => ({
  bool: { filter: conditions.filter((condition) => condition !== undefined) },
})
