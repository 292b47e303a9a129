import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"

/** A released row by column name. What is not shown is "". */
export type ReleasedRow = Record<string, string>

/** The name of a release's data file. */
export function dataFile(folder: string): string {
  const [name, ...more] = readdirSync(folder).filter((file) => file !== "release.json")
  if (name === undefined || more.length > 0) throw new Error(`${folder}: expected one data file`)
  return join(folder, name)
}

/** Reads the data file of a release without using queryveil's code. */
export async function releasedRows(folder: string): Promise<ReleasedRow[]> {
  const path = dataFile(folder)
  if (path.endsWith(".parquet")) return parquetRows(path)
  const text = readFileSync(path, "utf8")
  if (path.endsWith(".jsonl")) return text.split("\n").slice(0, -1).map(jsonRow)
  const [header = [], ...rows] = path.endsWith(".csv") ? csvCells(text) : tsvCells(text)
  return rows.map((cells) => Object.fromEntries(header.map((name, column) => [name, cells[column]])))
}

const tsvCells = (text: string) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t"))

const jsonRow = (line: string): ReleasedRow => {
  const cells: Record<string, unknown> = JSON.parse(line)
  return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, cell === null ? "" : String(cell)]))
}

/** RFC 4180: cells separated by commas, quoted or not. A quote in a quoted cell is doubled. */
export function csvCells(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/y
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    if (found === null) throw new Error("not CSV")
    const [, content, stop] = found
    rows.at(-1)?.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content)
    if (stop !== ",") rows.push([])
  }
  return rows.slice(0, -1)
}

async function parquetRows(path: string): Promise<ReleasedRow[]> {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  try {
    const reader = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM read_parquet('${path}')`)
    return reader
      .getRowObjects()
      .map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === null ? "" : `${cell}`])),
      )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Rows as sorted texts. They are equal if the rows are the same, in any order. */
export function multiset(rows: readonly ReleasedRow[], columns?: readonly string[]): string[] {
  return rows
    .map((row) => JSON.stringify((columns ?? Object.keys(row).sort()).map((name) => [name, row[name] ?? ""])))
    .sort()
}
