import { createHash } from "node:crypto"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { RunContext } from "../../kernels/context.ts"
import { fingerprintFile } from "../../log/blocks.ts"
import type { ArrangedRows } from "../arrange-rows.ts"
import { releaseColumns } from "../column-policy.ts"
import type { FileFormat, Manifest } from "../manifest.ts"
import { writeChunks } from "../output.ts"
import { runStatement } from "./duckdb.ts"
import { encodeRows } from "./encode-rows.ts"

/** Writes the rows to `log.FORMAT` in a folder and says what it wrote. */
export async function writeRows(
  folder: string,
  rows: ArrangedRows,
  options: { to: FileFormat },
  context: RunContext,
): Promise<Manifest["files"][number]> {
  const path = `log.${options.to}`
  const count = rows.order.length
  if (options.to !== "parquet") {
    const digest = createHash("sha256")
    const chunks = encodeRows(rows, options.to, context)
    await writeChunks(join(folder, path), chunks, { mode: 0o644, each: (chunk) => digest.update(chunk) })
    return { path, rows: count, sha256: digest.digest("hex") }
  }
  // DuckDB makes the Parquet file from the text file, which lies in the same unfinished folder and is then removed.
  const text = join(folder, "log.tsv")
  await writeChunks(text, encodeRows(rows, "tsv", context), { mode: 0o600 })
  context.report({ stage: "packing", done: 0 })
  await runStatement(parquetStatement(text, join(folder, path), rows), {
    path: join(folder, path),
    signal: context.signal,
  })
  await rm(text)
  return { path, rows: count, sha256: await fingerprintFile({ path: join(folder, path) }) }
}

const parquetTypes = { user: "VARCHAR", query: "VARCHAR", time: "TIMESTAMP", rank: "USMALLINT", url: "VARCHAR" }

function parquetStatement(text: string, target: string, rows: ArrangedRows): string {
  const columns = rows.columns.map((column) => `'${releaseColumns[column]}': '${parquetTypes[column]}'`).join(", ")
  const source = `read_csv(${literal(text)}, delim='\\t', header=true, quote='', escape='', columns={${columns}}, max_line_size=33554432)`
  return `COPY (FROM ${source}) TO ${literal(target)} (FORMAT parquet, COMPRESSION zstd)`
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
