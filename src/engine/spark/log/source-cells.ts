import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { type ColumnChoice, columnNames } from "../../../log/formats/columns.ts"
import { convertedColumns, convertedKey } from "../../../log/formats/convert-block.ts"
import type { LinePlan } from "../../../log/formats/parsed-block.ts"
import { chooseTableColumns, type TableColumns } from "../../../log/formats/table-columns.ts"
import type { Unit } from "../../../log/search-log.ts"
import { readRows } from "../read-values.ts"
import type { SourceFacts, SparkSession } from "../session.ts"
import type { PlannedSource } from "./source-documents.ts"

/** The member of a document of the kernel `rows`, by column of a log. */
const members = { user: "u", query: "q", time: "t", rank: "r", url: "l", category: "g" } as const

type SourceColumn = SourceFacts["columns"][number]

/** The plan of the single process for a table: cells as lines of tab-separated text. */
const cellsPlan: LinePlan = {
  format: "parquet",
  delimiter: 9,
  columns: { ...convertedColumns, category: convertedKey },
  minFields: 3,
  maxFields: columnNames.length,
  headerLines: 0,
  times: "any",
}

/** Finds the columns of a table by name, as the single process does. */
export async function planSourceCells(
  session: SparkSession,
  options: { view: string; path: string; columns: ColumnChoice; unit: Unit; found: readonly SourceColumn[] },
  { signal }: RunContext,
): Promise<PlannedSource> {
  const { view, path, columns, unit, found } = options
  const sample = async () => {
    const cells = found.map((column) => (isReadable(column) ? `substr(${cellOf(column, path)}, 1, 64)` : "''"))
    const sql = `SELECT ${cells.join(", ")} FROM ${view} LIMIT 1`
    for await (const row of readRows(session, sql, { stage: "opening", signal }))
      return row.map((cell) => (typeof cell === "string" ? cell : ""))
    return []
  }
  const names = found.map(({ name }) => name)
  const { places, reading } = await chooseTableColumns(names, { columns, path, unit, sample })
  return {
    plan: cellsPlan,
    reading: { format: "table", ...reading },
    headers: 0,
    documents: cellsQuery(found, { places, view, path }),
    expected: `SELECT count(*) FROM ${view}`,
  }
}

/**
 * A query of the rows of a source as the kernel `rows` reads them: a number, and the cells as text. Times become
 * `YYYY-MM-DD hh:mm:ss` in UTC. A text that is not UTF-8 is marked, because Spark would change it silently.
 */
function cellsQuery(
  columns: readonly SourceColumn[],
  { places, view, path }: { places: TableColumns["places"]; view: string; path: string },
): string {
  const chosen = columnNames.flatMap((name) => {
    const column = columns[places[name]]
    return column === undefined ? [] : [{ name, column }]
  })
  const cells = chosen.map(({ name, column }) => `${cellOf(column, path)} AS ${members[name]}`)
  const texts = chosen
    .filter(({ column }) => isText(column))
    .map(({ column }) => `NOT is_valid_utf8(${textOf(column)})`)
  const isBroken = texts.length === 0 ? "false" : `coalesce(${texts.join(", false) OR coalesce(")}, false)`
  return `SELECT monotonically_increasing_id() AS i, ${cells.join(", ")}, IF(${isBroken}, true, NULL) AS x FROM ${view}`
}

const quoted = ({ name }: SourceColumn) => `\`${name.replaceAll("`", "``")}\``

const isText = ({ type }: SourceColumn) => /^(string|varchar|char)\b/i.test(type)

/** A value as text. A whole number of a column of fractions is written without an exponent, as on one machine. */
function textOf(column: SourceColumn): string {
  const text = `CAST(${quoted(column)} AS STRING)`
  if (!/^(float|double)\b/i.test(column.type)) return text
  const number = `CAST(${quoted(column)} AS DOUBLE)`
  const whole = `concat(CAST(CAST(${number} AS BIGINT) AS STRING), '.0')`
  return `IF(${number} = floor(${number}) AND abs(${number}) < 1e15, ${whole}, ${text})`
}

const isTime = ({ type }: SourceColumn) => /^(timestamp|date)/i.test(type)

const isBytes = ({ type }: SourceColumn) => /^binary\b/i.test(type)

const isReadable = (column: SourceColumn) =>
  isText(column) ||
  isTime(column) ||
  isBytes(column) ||
  /^(tinyint|smallint|int|bigint|float|double|decimal|boolean)\b/i.test(column.type)

/** The value of a column as text. */
function cellOf(column: SourceColumn, path: string): string {
  if (!isReadable(column))
    throw new QueryveilError(
      "option-value",
      `${path}: the column ${column.name} (${column.type}) has no texts, numbers or times. Name another column.`,
      { flag: "--columns" },
    )
  if (isTime(column)) return `date_format(${quoted(column)}, 'yyyy-MM-dd HH:mm:ss')`
  if (isBytes(column)) return `IF(is_valid_utf8(${textOf(column)}), ${textOf(column)}, NULL)`
  return textOf(column)
}
