import type { LineBlock } from "../blocks.ts"
import type { Unit } from "../search-log.ts"
import { type ColumnChoice, columnNames } from "./columns.ts"
import { ga4Events, ga4Values } from "./ga4.ts"
import { knownReading } from "./known-columns.ts"
import { oneFile, type Relation, type RelationColumn, relationBlocks } from "./query-source.ts"
import type { Reading } from "./reading.ts"
import { chooseTableColumns } from "./table-columns.ts"

/** True if the first bytes of a file are the Parquet signature. */
export const isParquet = (head: Uint8Array) => Buffer.from(head.subarray(0, 4)).toString("latin1") === "PAR1"

/**
 * The rows of a Parquet file as lines of tab-separated text, read by DuckDB. Columns are those that the caller names,
 * or else those that are recognised by their names. The Google Analytics 4 export is recognised by its columns.
 */
export async function* parquetBlocks(
  path: string,
  options: { columns: ColumnChoice; unit: Unit },
): AsyncGenerator<LineBlock & { layout: "parquet" | "ga4"; reading: Reading }> {
  let layout: "parquet" | "ga4" = "parquet"
  let reading = knownReading("ga4", { ...options, format: "ga4", jsonPath: undefined })
  const select = async (columns: readonly RelationColumn[], sample: Sample) => {
    if (Object.keys(options.columns).length > 0 || !isGa4(columns)) {
      const selected = await selectColumns(columns, { ...options, path, sample })
      reading = selected.reading
      return selected
    }
    layout = "ga4"
    return selectGa4(columns, options.unit)
  }
  for await (const block of relationBlocks(`read_parquet(${oneFile(path)})`, { path, select }))
    yield { ...block, layout, reading }
}

/** Reads the cells of the first row, each given by an SQL expression. */
type Sample = (cells: readonly string[]) => Promise<string[]>

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

async function selectColumns(
  found: readonly RelationColumn[],
  { columns, path, unit, sample }: { columns: ColumnChoice; path: string; unit: Unit; sample: Sample },
): Promise<Relation & { reading: Reading }> {
  const names = found.map(({ name }) => name)
  const chosen = await chooseTableColumns(names, { columns, path, unit, sample: () => sample(found.map(cellOf)) })
  const { places, reading } = chosen
  return {
    cells: columnNames.map((column) => (places[column] < 0 ? "''" : cellOf(found[places[column]]))),
    reading: { format: "parquet", ...reading },
  }
}

/**
 * A column as text. Times become `YYYY-MM-DD hh:mm:ss` in UTC, and bytes are decoded as UTF-8. A value that cannot be
 * converted is empty.
 */
export function cellOf({ name, type }: RelationColumn): string {
  const column = `"${name.replaceAll('"', '""')}"`
  const written = (time: string) => `try(strftime(${time}, '%Y-%m-%d %H:%M:%S'))`
  if (type === "TIMESTAMP WITH TIME ZONE") return written(`make_timestamp(epoch_us(${column}))`)
  if (type.startsWith("TIMESTAMP") || type === "DATE") return written(`${column}::TIMESTAMP`)
  return type === "BLOB" ? `try(decode(${column}))` : `${column}::VARCHAR`
}
