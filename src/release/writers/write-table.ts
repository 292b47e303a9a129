import type { RunContext } from "../../kernels/context.ts"
import type { ColumnTable } from "../../kernels/table.ts"
import type { TextFormat } from "../../log/formats/row-format.ts"
import type { TablesManifest } from "../manifest.ts"
import { encodeColumns } from "./encode-columns.ts"
import { type DataOptions, writeData } from "./write-data.ts"

/** The columns of a table as the manifest lists them. */
export function columnsOf({ columns }: ColumnTable): TablesManifest["files"][number]["columns"] {
  return columns.map((column) => ({ name: column.name, type: "values" in column ? "number" : "text" }))
}

/** Writes a table to `NAME.FORMAT` in a folder and returns the manifest entry of the file. */
export async function writeTable(
  folder: string,
  table: ColumnTable,
  options: DataOptions & { name: string },
  context: RunContext,
): Promise<TablesManifest["files"][number]> {
  const columns = columnsOf(table)
  const source = {
    name: options.name,
    encode: (format: TextFormat) => encodeColumns(table, format, context),
    columns: columns.map(({ name, type }) => ({ name, type: type === "text" ? "VARCHAR" : "BIGINT" })),
  }
  const { path, sha256 } = await writeData(folder, source, options, context)
  return { path, rows: table.rows, sha256, columns }
}
