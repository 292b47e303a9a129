import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"

/**
 * True if a released file contains something that a reader of its columns does not see: a key of a JSON line that is
 * not a column or occurs twice, or metadata of a Parquet file. Other formats have no room for hidden content.
 */
export async function hasHiddenData(path: string, columns: readonly string[]): Promise<boolean> {
  if (path.endsWith(".jsonl")) return hasOtherKeys(path, columns)
  return path.endsWith(".parquet") && hasMetadata(path)
}

/** Our writer gives every line all columns, in their order, as `JSON.stringify` would. */
async function hasOtherKeys(path: string, columns: readonly string[]): Promise<boolean> {
  const expected = columns.join()
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const value: unknown = JSON.parse(line)
    if (typeof value !== "object" || value === null || Object.keys(value).join() !== expected) return true
    if (JSON.stringify(value) !== line) return true
  }
  return false
}

/** DuckDB, which writes our Parquet files, adds only its own name. */
async function hasMetadata(path: string): Promise<boolean> {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" })
  const connection = await instance.connect()
  const file = `'${path.replace(/[*?[]/g, "[$&]").replaceAll("'", "''")}'`
  try {
    const pairs = await connection.runAndReadAll(`SELECT count(*) FROM parquet_kv_metadata(${file})`)
    const maker = await connection.runAndReadAll(`SELECT created_by FROM parquet_file_metadata(${file})`)
    const [[count] = []] = pairs.getRowsJson()
    const [[madeBy] = []] = maker.getRowsJson()
    return Number(count) > 0 || !/^DuckDB version v[0-9.]+(-\w+)?( \(build \w+\))?$/.test(String(madeBy))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
