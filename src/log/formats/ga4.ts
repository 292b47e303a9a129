import type { Cell, Converter } from "./convert-block.ts"
import { cellOf, isObject, type JsonObject, parseRecord } from "./json-record.ts"
import type { Conversion } from "./parsed-block.ts"

/** The events of a site search. The site sends one, enhanced measurement the other, and often both are sent. */
export const ga4Events: readonly string[] = ["search", "view_search_results"]

/** Fields that can contain the value of a parameter. A text that looks like a number is stored as a number. */
export const ga4Values = ["string_value", "int_value", "double_value", "float_value"] as const

/**
 * Google Analytics 4 as exported to BigQuery, in JSON, one event per line. The query is the parameter `search_term`,
 * the user is `user_pseudo_id`, and the time is `event_timestamp` in microseconds. A session is the `ga_session_id` of
 * that user. The two events of one search are merged (`LinePlan.collapseSeconds`).
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
