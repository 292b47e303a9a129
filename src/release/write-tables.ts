import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import type { Table } from "../kernels/table.ts"

/** Encodes a table as tab-separated lines with a header. Tabs and line breaks in a cell become spaces. */
export async function* encodeTable(table: Table, context: RunContext): AsyncGenerator<Uint8Array> {
  let lines = [table.columns.join("\t")]
  for (let row = 0; row < table.rows; row++) {
    lines.push(table.columns.map((_, column) => String(table.cell(row, column)).replace(/[\t\r\n]/g, " ")).join("\t"))
    if (lines.length >= 16384) {
      yield Buffer.from(`${lines.join("\n")}\n`)
      lines = []
      await yieldAndReport(context, { stage: "writing audit", done: row + 1, total: table.rows })
    }
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join("\n")}\n`)
}
