import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { ColumnTable } from "../../kernels/table.ts"
import { type TextFormat, textFormats } from "../../log/formats/row-format.ts"

const sliceRows = 1 << 15
/** Bytes for a whole number: a sign and sixteen digits. */
const numberBytes = 17

/** The bytes of the file, in new chunks. Texts are copied from their dictionary, and no row becomes an object. */
export async function* encodeColumns(
  table: ColumnTable,
  formatName: TextFormat,
  context: RunContext,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(textFormats[formatName].header(table.columns.map(({ name }) => name)))
  for (let from = 0; from < table.rows; from += sliceRows) {
    const to = Math.min(table.rows, from + sliceRows)
    yield encodeSlice(table, formatName, { from, to })
    await yieldAndReport(context, { stage: "writing", done: to, total: table.rows })
  }
}

function encodeSlice(table: ColumnTable, formatName: TextFormat, slice: { from: number; to: number }): Uint8Array {
  const format = textFormats[formatName]
  const quote = Buffer.from(format.quote)
  const end = Buffer.from(format.end)
  const columns = table.columns.map((column, i) => {
    const before = Buffer.from(format.before(column.name, i))
    return "values" in column ? { before, values: column.values } : { before, ids: column.ids, ...column.texts.parts() }
  })
  const around = columns.reduce((sum, { before }) => sum + before.length + 2 * quote.length, end.length)
  const out = new Uint8Array((slice.to - slice.from) * around + sizeOfCells(table, slice, format.growth))
  let at = 0
  const put = (bytes: Uint8Array) => {
    for (let i = 0; i < bytes.length; i++) out[at++] = bytes[i]
  }
  for (let row = slice.from; row < slice.to; row++) {
    for (const column of columns) {
      put(column.before)
      if ("values" in column) {
        put(Buffer.from(String(column.values[row]), "latin1"))
      } else {
        const id = column.ids[row]
        put(quote)
        at = format.escape(column.arena, column.offsets[id], column.offsets[id + 1], out, at)
        put(quote)
      }
    }
    put(end)
  }
  return out.subarray(0, at)
}

/** The most bytes that the cells of these rows take. */
function sizeOfCells({ columns }: ColumnTable, { from, to }: { from: number; to: number }, growth: number): number {
  let size = 0
  for (const column of columns) {
    if ("values" in column) {
      size += (to - from) * numberBytes
      continue
    }
    const { offsets } = column.texts.parts()
    for (let row = from; row < to; row++) size += (offsets[column.ids[row] + 1] - offsets[column.ids[row]]) * growth
  }
  return size
}
