import type { RunContext } from "../../kernels/context.ts"
import type { TextFormat } from "../../log/formats/row-format.ts"
import type { ArrangedRows } from "../arrange-rows.ts"
import { releaseColumns } from "../column-policy.ts"
import type { RowsManifest } from "../manifest.ts"
import { encodeRows } from "./encode-rows.ts"
import { type DataOptions, writeData } from "./write-data.ts"

const parquetTypes = {
  user: "VARCHAR",
  query: "VARCHAR",
  time: "TIMESTAMP",
  rank: "USMALLINT",
  url: "VARCHAR",
  category: "VARCHAR",
}

/** Writes the rows to `NAME.FORMAT` (default `log`) in a folder and returns the manifest entry of the file. */
export async function writeRows(
  folder: string,
  rows: ArrangedRows,
  { name = "log", ...options }: DataOptions & { name?: string },
  context: RunContext,
): Promise<RowsManifest["files"][number]> {
  const source = {
    name,
    encode: (format: TextFormat) => encodeRows(rows, format, context),
    columns: rows.columns.map((column) => ({ name: releaseColumns[column], type: parquetTypes[column] })),
  }
  const { path, sha256 } = await writeData(folder, source, options, context)
  return { path, rows: rows.order.length, sha256 }
}
