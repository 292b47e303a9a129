import type { Table } from "../methods/table.ts"

/** A table in columns for a terminal; numbers to the right. */
export function textTable(table: Table): string {
  const cells = Array.from({ length: table.rows }, (_, row) =>
    table.columns.map((_, column) => {
      const cell = table.cell(row, column)
      return typeof cell === "number" ? cell.toLocaleString("en") : cell
    }),
  )
  const isNumber = table.columns.map((_, column) =>
    Array.from({ length: table.rows }, (_, row) => table.cell(row, column)).every((cell) => typeof cell === "number"),
  )
  const widths = table.columns.map((name, column) =>
    Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => (isNumber[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd()
  return [line(table.columns), ...cells.map(line)].join("\n")
}
