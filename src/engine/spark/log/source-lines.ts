import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import type { ColumnChoice } from "../../../log/formats/columns.ts"
import { detectFormat, isArray, planLines } from "../../../log/formats/detect-format.ts"
import type { Unit } from "../../../log/search-log.ts"
import { sniffText } from "../../../log/sniff.ts"
import { readNumbers, readRows } from "../read-values.ts"
import type { SparkSession, StatementOptions } from "../session.ts"
import type { PlannedSource } from "./source-documents.ts"

/** Lines that are looked at to recognise a format, and bytes of each. */
const headLines = 2000
const headLineBytes = 1 << 16

const headerView = "queryveil_header"

/** Recognises the format of files of lines from their first lines, as the single process does. */
export async function planSourceLines(
  session: SparkSession,
  { view, path, columns, unit }: { view: string; path: string; columns: ColumnChoice; unit: Unit },
  { signal }: RunContext,
): Promise<PlannedSource> {
  const running = { stage: "opening", signal }
  const bytes = `substr(CAST(value AS BINARY), 1, ${headLineBytes})`
  const lines: Uint8Array[] = []
  for await (const [line] of readRows(session, `SELECT ${bytes} AS line FROM ${view} LIMIT ${headLines}`, running))
    if (line instanceof Uint8Array) lines.push(line)
  const whole = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]))
  const mark = sniffText(whole, path)
  const head = whole.subarray(mark)
  const choice = {
    format: "auto",
    columns: Object.keys(columns).length > 0 ? columns : undefined,
    jsonPath: undefined,
    unit,
  } as const
  const format = detectFormat(head, choice)
  if (format === "parquet" || (format === "jsonl" && isArray(head))) throw cannotCut(path)
  const { reading, ...plan } = planLines(format, head, { ...choice, path })
  if (plan.key !== undefined || plan.collapseSeconds !== undefined)
    throw new QueryveilError(
      "remote-refused",
      `${path}: the searches of this format (${format}) are spread over lines. Release it on one machine.`,
    )
  const header = plan.headerLines === 0 ? undefined : lines[plan.headerLines - 1]
  const isLine = header === undefined ? "true" : `CAST(value AS BINARY) <> (SELECT header FROM ${headerView})`
  if (header !== undefined) await session.createView(headerView, { header: { type: "binary", values: [header] } })
  const headers = header === undefined ? 0 : await countHeaders(session, { view, path, isLine }, running)
  // A file may begin with the byte-order mark of UTF-8.
  const byteOrder = "CAST(unhex('EFBBBF') AS STRING)"
  const line = mark === 0 ? "value" : `IF(startswith(value, ${byteOrder}), substr(value, 2), value)`
  const asText = `IF(is_valid_utf8(value), ${line}, NULL) AS s`
  const asBytes = "IF(is_valid_utf8(value), NULL, base64(CAST(value AS BINARY))) AS b"
  return {
    plan,
    reading,
    headers,
    documents: `SELECT monotonically_increasing_id() AS i, ${asText}, ${asBytes} FROM ${view} WHERE ${isLine}`,
    expected: `SELECT count(*) FROM ${view} WHERE ${isLine}`,
  }
}

/**
 * How many lines repeat the header. Refuses files with another header: the columns of all files are those of the first,
 * and a column of users could be read as queries.
 */
async function countHeaders(
  session: SparkSession,
  { view, path, isLine }: { view: string; path: string; isLine: string },
  running: StatementOptions,
): Promise<number> {
  const lines = `SELECT input_file_name() AS file, NOT (${isLine}) AS header FROM ${view}`
  const counts = ["count_if(header)", "count(DISTINCT file)", "count(DISTINCT IF(header, file, NULL))"]
  const sql = `SELECT ${counts.join(", ")} FROM (${lines})`
  const [headers = 0, files = 0, alike = 0] = await readNumbers(session, sql, running)
  if (alike === files) return headers
  throw new QueryveilError(
    "remote-refused",
    `${path}: ${files - alike} of ${files} files do not have the header of the first. Their columns may be in ` +
      "another order. Release files with one header, or convert them to Parquet.",
  )
}

const cannotCut = (path: string) =>
  new QueryveilError(
    "remote-refused",
    `${path}: these are not lines of text that Spark can cut. Name Parquet files with the ending .parquet.`,
  )
