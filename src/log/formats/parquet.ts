import { QueryveilError } from "../../kernels/error.ts"
import type { LineBlock } from "../blocks.ts"
import type { Unit } from "../search-log.ts"
import { type ColumnChoice, columnNames, columnsOfHeader } from "./columns.ts"
import { ga4Events, ga4Values } from "./ga4.ts"
import { oneFile, type Relation, type RelationColumn, relationBlocks } from "./query-source.ts"

/** Whether a file's first bytes are those of Parquet. */
export const isParquet = (head: Uint8Array) => Buffer.from(head.subarray(0, 4)).toString("latin1") === "PAR1"

/**
 * The rows of a Parquet file as lines of tab-separated text, by DuckDB. Columns are those the caller names, else those
 * that the file names in a way that is understood; the Google Analytics 4 export is known by its columns.
 */
export async function* parquetBlocks(
  path: string,
  options: { columns: ColumnChoice; unit: Unit },
): AsyncGenerator<LineBlock & { layout: "parquet" | "ga4" }> {
  let layout: "parquet" | "ga4" = "parquet"
  const select = (columns: readonly RelationColumn[]) => {
    if (Object.keys(options.columns).length > 0 || !isGa4(columns)) return selectColumns(columns, { ...options, path })
    layout = "ga4"
    return selectGa4(columns, options.unit)
  }
  for await (const block of relationBlocks(`read_parquet(${oneFile(path)})`, { path, select }))
    yield { ...block, layout }
}

const isGa4 = (columns: readonly RelationColumn[]) =>
  ["event_name", "event_params", "user_pseudo_id", "event_timestamp"].every((name) =>
    columns.some((column) => column.name === name),
  )

function selectGa4(columns: readonly RelationColumn[], unit: Unit): Relation {
  const type = columns.find(({ name }) => name === "event_params")?.type ?? ""
  const kinds = ga4Values.filter((kind) => type.includes(kind))
  const parameter = (key: string) => {
    const value = `list_filter(event_params, p -> p.key = '${key}')[1].value`
    return `coalesce(${kinds.map((kind) => `nullif(trim(${value}.${kind}::VARCHAR), '')`).join(", ")})`
  }
  const user = unit === "user" ? "user_pseudo_id" : `user_pseudo_id || '.' || ${parameter("ga_session_id")}`
  const query = parameter("search_term")
  return {
    cells: [user, query, "event_timestamp::VARCHAR", "''", "''"],
    where: `event_name IN (${ga4Events.map((name) => `'${name}'`).join(", ")})`,
  }
}

function selectColumns(
  found: readonly RelationColumn[],
  { columns, path }: { columns: ColumnChoice; path: string },
): Relation {
  const names = found.map(({ name }) => name)
  const guessed = columnsOfHeader(names)
  const cells = columnNames.map((column) => {
    const place = columns[column]
    const at = place === undefined ? guessed[column] : /^\d+$/.test(place) ? Number(place) - 1 : names.indexOf(place)
    if (found[at] !== undefined) return cellOf(found[at])
    if (place !== undefined) {
      throw new QueryveilError("option-value", `${path}: has no column ${place} (--columns ${column}=${place}).`, {
        file: path,
        flag: "--columns",
      })
    }
    if (column === "rank" || column === "url") return "''"
    throw new QueryveilError(
      "input-rows",
      `${path}: no column for the ${column} was found. Say which it is, for example --columns user=uid,query=q,time=at.`,
      { file: path, flag: "--columns" },
    )
  })
  return { cells }
}

/** A column as text; times as `YYYY-MM-DD hh:mm:ss` in UTC, bytes as the UTF-8 that they are. What is neither is nothing. */
function cellOf({ name, type }: RelationColumn): string {
  const column = `"${name.replaceAll('"', '""')}"`
  const written = (time: string) => `try(strftime(${time}, '%Y-%m-%d %H:%M:%S'))`
  if (type === "TIMESTAMP WITH TIME ZONE") return written(`make_timestamp(epoch_us(${column}))`)
  if (type.startsWith("TIMESTAMP") || type === "DATE") return written(`${column}::TIMESTAMP`)
  return type === "BLOB" ? `try(decode(${column}))` : `${column}::VARCHAR`
}
