import { QueryveilError } from "../../kernels/error.ts"
import type { Unit } from "../search-log.ts"
import { type ColumnChoice, columnNames, meaningOfName, neededColumns, noColumn, recogniseColumns } from "./columns.ts"
import type { Converter } from "./convert-block.ts"
import { isNameLike } from "./header.ts"
import { jsonPathReader, pathOfName } from "./json-path.ts"
import { cellOf, type JsonObject, parseRecord } from "./json-record.ts"
import type { Conversion } from "./parsed-block.ts"
import type { Reading } from "./reading.ts"
import { refuseColumns } from "./refuse-columns.ts"

/** One JSON object per line, or an array of objects. Columns are paths into the object. */
export function jsonlConverter({ columns }: Conversion): Converter {
  const reader = (path: string | undefined) =>
    path === undefined ? () => undefined : jsonPathReader(path, "--columns")
  const user = reader(columns.user)
  const query = reader(columns.query)
  const time = reader(columns.time)
  const rank = reader(columns.rank)
  const url = reader(columns.url)
  const category = reader(columns.category)
  return (line) => {
    const record = parseRecord(line)
    if (record === undefined) return "syntax"
    return [
      {
        user: user(record),
        query: query(record),
        time: time(record),
        rank: rank(record),
        url: url(record),
        category: category(record),
      },
    ]
  }
}

/** Finds the columns: those that the caller names, or else members of the first records, recognised by their names. */
export function planJsonColumns(
  records: readonly JsonObject[],
  { columns, path, unit }: { columns: ColumnChoice; path: string; unit: Unit },
): ColumnChoice {
  const members = gatherMembers(records)
  const names = [...members.keys()]
  const { columns: places, rivals } = recogniseColumns(names, unit)
  const found: ColumnChoice = {}
  for (const column of columnNames) {
    const place = columns[column] ?? (places[column] < 0 ? undefined : pathOfName(names[places[column]]))
    if (place !== undefined && (column !== "category" || place !== noColumn)) found[column] = place
  }
  if (neededColumns.every((column) => found[column] !== undefined)) return found
  if (names.length === 0) {
    throw new QueryveilError("input-rows", `${path}: no JSON object was found. Check that the right file was given.`, {
      file: path,
    })
  }
  const known = names.some((name) => meaningOfName(name) !== undefined)
  const listed = [...members].map(([name, { records: having, example }]) => {
    // Names of members may be text of the log, as in {"ann": {…}}. Such names are not in most records, nor next to a
    // known name.
    const isName = known && isNameLike(name) && 2 * having >= records.length
    const isShown = isName || meaningOfName(name) !== undefined
    return { name: isShown ? name : undefined, example, place: placeOf(name) }
  })
  throw refuseColumns({
    path,
    unit,
    what: "member",
    columns: listed,
    found: Object.fromEntries(Object.entries(found).map(([column, place]) => [column, shortPath(place)])),
    rivals: Object.fromEntries(Object.entries(rivals).map(([column, ats]) => [column, ats.map((at) => names[at])])),
  })
}

/** Which members were read, by name. */
export function readingOfJson(found: ColumnChoice, said: ColumnChoice): Reading {
  const isSaid = neededColumns.every((column) => said[column] !== undefined)
  const columns = Object.fromEntries(Object.entries(found).map(([column, place]) => [column, shortPath(place)]))
  return { format: "jsonl", columns, found: isSaid ? "named" : "recognised" }
}

const plainPath = /^\["([^.[\]*"'\s,=\\]+)"\]$/

/** Shortens `["user"]` to `user`. */
const shortPath = (path: string) => plainPath.exec(path)?.[1] ?? path

/** A member as `--columns` accepts it; undefined if it contains a comma, which separates the list. */
export const placeOf = (name: string) => (name.includes(",") ? undefined : shortPath(pathOfName(name)))

/** All members of the records: how many records have each, and its first value. */
function gatherMembers(records: readonly JsonObject[]): Map<string, { records: number; example: string | undefined }> {
  const members = new Map<string, { records: number; example: string | undefined }>()
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      const { records: before = 0, example } = members.get(name) ?? {}
      const cell = example === undefined ? cellOf(value) : undefined
      members.set(name, { records: before + 1, example: example ?? (cell === undefined ? undefined : String(cell)) })
    }
  }
  return members
}
