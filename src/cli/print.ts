import type { Table } from "../kernels/table.ts"

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

/** Text for a terminal: what would steer it, in a file's name for instance, is written out (`\x1b`). Line ends and tabs stay. */
export function tameText(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (sign) => {
    if (sign === "\n" || sign === "\t") return sign
    const code = sign.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`
  })
}
