import type { ClusterClient } from "../../cluster/cluster-client.ts"
import { badAnswer, memberOf } from "../../cluster/cluster-errors.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { type ColumnChoice, recogniseColumns } from "../formats/columns.ts"

/** How the fields of the indices are mapped. */
export interface IndexFields {
  /** Number of indices behind the given names. */
  indices: readonly string[]
  /** By field: its types, and for each type the indices that have it (all of them if undefined). */
  types: ReadonlyMap<string, ReadonlyMap<string, readonly string[] | undefined>>
}

/** Asks how the fields of all indices are mapped. Names, aliases, data streams and patterns are resolved on the way. */
export async function readIndexFields(client: ClusterClient, signal?: AbortSignal): Promise<IndexFields> {
  const { address } = client
  const path = `/${indexPath(address.index)}/_field_caps?fields=*&expand_wildcards=open`
  const { body } = await client.ask({ method: "GET", path, signal })
  const indices = memberOf(body, "indices")
  const fields = memberOf(body, "fields")
  if (!isNames(indices) || typeof fields !== "object" || fields === null)
    throw badAnswer(address, "its answer does not list fields. Is this a cluster, and is the address right?")
  if (indices.length === 0)
    throw new QueryveilError("input-missing", `${address.name}: no index matches. Check the name or the pattern.`, {
      file: address.name,
    })
  const types = Object.entries(fields).map(([field, found]): [string, Map<string, readonly string[] | undefined>] => {
    const mapped = Object.entries(typeof found === "object" && found !== null ? found : {})
    return [field, new Map(mapped.map(([type, facts]) => [type, namesOf(memberOf(facts, "indices"))]))]
  })
  return { indices, types: new Map(types) }
}

/** The names as a part of a path. Commas and stars have a meaning there, so they stay. */
export const indexPath = (index: string): string =>
  index
    .split(",")
    .map((name) => encodeURIComponent(decode(name)).replaceAll("%2A", "*"))
    .join(",")

function decode(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string")

const namesOf = (value: unknown) => (isNames(value) ? value : undefined)

const ubiFields = [
  "query_id",
  "user_query",
  "user_id",
  "client_id",
  "session_id",
  "timestamp",
  "action_name",
  "event_attributes.object.object_id",
  "event_attributes.position.ordinal",
]

/** True if the indices look like those of User Behavior Insights, by the rule that recognises such files. */
const isUbi = ({ types }: IndexFields): boolean =>
  types.has("query_id") && (types.has("user_query") || types.has("action_name"))

/**
 * The fields to ask for; undefined for whole documents. Of UBI documents only those that are read leave the cluster:
 * not the request to the search engine, not the messages, and no other attribute.
 */
export function fieldsToRead(fields: IndexFields, format: string): readonly string[] | undefined {
  return format === "ubi" || (format === "auto" && isUbi(fields)) ? ubiFields : undefined
}

const dates = ["date", "date_nanos"]

/**
 * The field that holds the time, if it is mapped as a date: as the caller names it, or else recognised by its name, as
 * in JSON Lines. Undefined if there is none. Refuses a field that is a date in some indices and something else in
 * others: a range would leave out documents without a word.
 */
export function findTimeField(
  { types }: IndexFields,
  { columns = {}, format, name }: { columns: ColumnChoice | undefined; format: string; name: string },
): string | undefined {
  const isKnown = format === "ubi" || (format === "auto" && types.has("query_id") && types.has("timestamp"))
  const field = columns.time ?? (isKnown ? "timestamp" : recognised([...types.keys()]))
  const mapped = field === undefined ? undefined : types.get(field)
  if (field === undefined || mapped === undefined) return undefined
  const found = [...mapped].filter(([type]) => type !== "unmapped")
  const others = found.filter(([type]) => !dates.includes(type))
  if (others.length === found.length) return undefined
  if (others.length === 0) return field
  const list = found.map(([type, indices = []]) => `${type} in ${indices.slice(0, 3).join(", ")}`).join("; ")
  throw new QueryveilError(
    "index-mappings",
    `${name}: the field ${field} has several types: ${list}. Read the indices apart, or map it as a date in all.`,
    { file: name },
  )
}

function recognised(names: readonly string[]): string | undefined {
  const top = names.filter((name) => !name.includes(".") && !name.startsWith("_"))
  return top[recogniseColumns(top, "user").columns.time]
}
