import type { Table } from "../../kernels/table.ts"

/** CSV by RFC 4180 with a header. Numbers keep full precision. */
export function toCsv(table: Table): string {
  const quote = (cell: string | number) => {
    const text = String(cell)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const lines = [table.columns.map(quote).join(",")]
  for (let row = 0; row < table.rows; row++) {
    lines.push(table.columns.map((_, column) => quote(table.cell(row, column))).join(","))
  }
  return `${lines.join("\n")}\n`
}
