import type { Cells, Converter } from "./convert-block.ts"
import { cellOf, isObject, type JsonObject, parseRecord } from "./json-record.ts"
import type { Conversion, RejectReason } from "./parsed-block.ts"

/**
 * OpenSearch User Behavior Insights 1.3: documents of `ubi_queries` and `ubi_events`, alone, in `_bulk` requests or in
 * arrays, in any order and any number of files. A search is a query document. A click event belongs to the search with
 * its `query_id`. Only the user, `user_query` and the time are read, and for clicks the object's id and position. The
 * raw query, messages and other attributes are dropped here.
 *
 * The user is `user_id`, or else `client_id`. If the unit is the session, it is `session_id`. A query document seldom
 * has one, so every event of a search is read to find its session.
 */
export function ubiConverter({ unit }: Conversion): Converter {
  return (line) => {
    const record = parseRecord(line)
    if (record === undefined) return "syntax"
    if (isBulkAction(record)) return []
    return typeof record.action_name === "string"
      ? readEvent(record, record.action_name, unit)
      : readQuery(record, unit)
  }
}

function readQuery(record: JsonObject, unit: Conversion["unit"]): Cells[] | RejectReason {
  const key = cellOf(record.query_id)
  const query = cellOf(record.user_query)
  if (query === undefined) return key === undefined ? "syntax" : "query"
  const user = unit === "session" ? cellOf(record.session_id) : (cellOf(record.user_id) ?? cellOf(record.client_id))
  if (user === undefined && (unit === "user" || key === undefined)) return "user"
  return [{ user, query, time: cellOf(record.timestamp), key }]
}

function readEvent(record: JsonObject, action: string, unit: Conversion["unit"]): Cells[] {
  const key = cellOf(record.query_id)
  if (key === undefined) return []
  const event: Cells = { key, time: cellOf(record.timestamp) }
  const user = unit === "session" ? cellOf(record.session_id) : undefined
  const click = isClick(action) ? readClick(record.event_attributes) : undefined
  if (click !== undefined) return [{ ...event, ...click, user }]
  return user === undefined ? [] : [{ ...event, user }]
}

/** True if one of the words of an action is click: `click`, `item_click`, `product-click`. */
const isClick = (action: string) =>
  action
    .toLowerCase()
    .split(/[^a-z]+/)
    .includes("click")

/** What was clicked and at which position; undefined if the event does not say what was clicked. */
function readClick(attributes: unknown): Cells | undefined {
  if (!isObject(attributes) || !isObject(attributes.object)) return undefined
  const url = cellOf(attributes.object.object_id)
  if (url === undefined) return undefined
  const ordinal = isObject(attributes.position) ? attributes.position.ordinal : undefined
  const known = typeof ordinal === "number" && Number.isInteger(ordinal) && ordinal >= 0 && ordinal < 0xffff
  return { url, rank: known ? ordinal : undefined }
}

const bulkActions = ["index", "create", "update", "delete"]

/** True for the line before a document in a `_bulk` request. */
function isBulkAction(record: JsonObject): boolean {
  const [name, ...more] = Object.keys(record)
  return name !== undefined && more.length === 0 && bulkActions.includes(name) && isObject(record[name])
}
