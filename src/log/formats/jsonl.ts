import { QueryveilError } from "../../kernels/error.ts"
import { type ColumnChoice, columnNames, columnsOfHeader } from "./columns.ts"
import type { Converter } from "./convert-block.ts"
import { jsonPathReader, pathOfName } from "./json-path.ts"
import { type JsonObject, parseRecord } from "./json-record.ts"
import type { Conversion } from "./parsed-block.ts"

/** One JSON object a line, or an array of them. Columns are paths into the object. */
export function jsonlConverter({ columns }: Conversion): Converter {
  const reader = (path: string | undefined) =>
    path === undefined ? () => undefined : jsonPathReader(path, "--columns")
  const user = reader(columns.user)
  const query = reader(columns.query)
  const time = reader(columns.time)
  const rank = reader(columns.rank)
  const url = reader(columns.url)
  return (line) => {
    const record = parseRecord(line)
    if (record === undefined) return "syntax"
    return [{ user: user(record), query: query(record), time: time(record), rank: rank(record), url: url(record) }]
  }
}

/** Where the columns are: as named, else as the members of the first record that has such a one are called. */
export function planJsonColumns(
  records: readonly JsonObject[],
  { columns, path }: { columns: ColumnChoice; path: string },
): ColumnChoice {
  const found: ColumnChoice = { ...columns }
  for (const record of records) {
    const names = Object.keys(record)
    const guessed = columnsOfHeader(names)
    for (const column of columnNames) {
      if (guessed[column] >= 0) found[column] ??= pathOfName(names[guessed[column]])
    }
  }
  for (const column of ["user", "query", "time"] as const) {
    if (found[column] !== undefined) continue
    throw new QueryveilError(
      "input-rows",
      `${path}: no member for the ${column} was found. Say where it is, for example --columns user=client.id,query=q,time=at.`,
      { file: path, flag: "--columns" },
    )
  }
  return found
}
