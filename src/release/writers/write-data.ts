import { createHash } from "node:crypto"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { writeChunks } from "../../files/write-file.ts"
import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { fingerprintFile } from "../../log/blocks.ts"
import { oneFile } from "../../log/formats/query-source.ts"
import type { TextFormat } from "../../log/formats/row-format.ts"
import type { FileFormat } from "../manifest.ts"
import { runStatement } from "./duckdb.ts"

type TextFileFormat = Exclude<FileFormat, "parquet">

/** The content of a file: its bytes in a text format, and its columns with DuckDB's types. */
interface DataSource {
  name: string
  encode(format: TextFormat): AsyncIterable<Uint8Array>
  columns: readonly { name: string; type: string }[]
}

/** The format of data files, and whether cells that a spreadsheet would run are escaped. */
export interface DataOptions {
  to: FileFormat
  escapeFormulas?: boolean
}

/** Writes `NAME.FORMAT` to a folder and returns its name and digest. */
export async function writeData(
  folder: string,
  { name, encode, columns }: DataSource,
  options: DataOptions,
  context: RunContext,
): Promise<{ path: string; sha256: string }> {
  const path = `${name}.${options.to}`
  if (options.to !== "parquet") {
    const digest = createHash("sha256")
    await writeChunks(join(folder, path), encode(encodingOf({ ...options, to: options.to })), {
      mode: 0o644,
      each: (chunk) => digest.update(chunk),
    })
    return { path, sha256: digest.digest("hex") }
  }
  // DuckDB makes the Parquet file from a text file in the same unfinished folder, which is then removed.
  const text = join(folder, `${name}.tsv`)
  await writeChunks(text, encode("tsv"), { mode: 0o600 })
  context.report({ stage: "packing", done: 0 })
  const target = join(folder, path)
  await runStatement(parquetStatement(text, target, columns), { path: target, signal: context.signal })
  await rm(text)
  return { path, sha256: await fingerprintFile({ path: target }) }
}

/** The encoding of a text file. Only CSV and TSV can be escaped; `refuseEscaping` refuses other formats. */
function encodingOf({ to, escapeFormulas }: { to: TextFileFormat; escapeFormulas?: boolean }): TextFormat {
  return escapeFormulas === true && to !== "jsonl" ? `${to}-escaped` : to
}

/** Refuses to escape cells of a format that spreadsheets do not run, because the manifest would then be wrong. */
export function refuseEscaping({ to = "tsv", escapeFormulas = false }: Partial<DataOptions>): void {
  if (!escapeFormulas || to === "tsv" || to === "csv") return
  throw new QueryveilError(
    "usage",
    `--escape-formulas is for CSV and TSV, and ${to} needs none: its texts are never formulas. Leave it out.`,
    { flag: "--escape-formulas" },
  )
}

function parquetStatement(text: string, target: string, columns: DataSource["columns"]): string {
  const types = columns.map(({ name, type }) => `'${name}': '${type}'`).join(", ")
  const format = "delim='\\t', header=true, quote='', escape=''"
  const source = `read_csv(${oneFile(text)}, ${format}, columns={${types}}, max_line_size=33554432)`
  return `COPY (FROM ${source}) TO '${target.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd)`
}
