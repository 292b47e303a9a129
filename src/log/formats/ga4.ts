import type { Cell, Converter } from "./convert-block.ts"
import { cellOf, isObject, type JsonObject, parseRecord } from "./json-record.ts"
import type { Conversion } from "./parsed-block.ts"

/** The events that a site search leaves: one is sent by the site, the other by enhanced measurement, often both. */
export const ga4Events: readonly string[] = ["search", "view_search_results"]

/** Where the value of a parameter is: a text that looks like a number is kept as a number. */
export const ga4Values = ["string_value", "int_value", "double_value", "float_value"] as const

/**
 * Google Analytics 4 as exported to BigQuery, in JSON, one event a line. The query is the parameter `search_term`, the user
 * `user_pseudo_id`, the time `event_timestamp` in microseconds; a session is `ga_session_id` of that user. The two events
 * of one search fall together (`LinePlan.collapseSeconds`).
 */
export function ga4Converter({ unit }: Conversion): Converter {
  return (line) => {
    const event = parseRecord(line)
    if (event === undefined || typeof event.event_name !== "string") return "syntax"
    if (!ga4Events.includes(event.event_name)) return []
    const person = cellOf(event.user_pseudo_id)
    const session = parameterOf(event, "ga_session_id")
    const user = unit === "user" ? person : person && session && `${person}.${session}`
    return [{ user, query: parameterOf(event, "search_term"), time: cellOf(event.event_timestamp) }]
  }
}

function parameterOf(event: JsonObject, key: string): Cell {
  if (!Array.isArray(event.event_params)) return undefined
  const found = event.event_params.find((parameter: unknown) => isObject(parameter) && parameter.key === key)
  if (!isObject(found) || !isObject(found.value)) return undefined
  const { value } = found
  return ga4Values.map((kind) => cellOf(value[kind])).find((cell) => cell !== undefined)
}
