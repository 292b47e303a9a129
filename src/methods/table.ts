/** A table read cell by cell, so that nothing is copied before it is written. */
export interface Table {
  columns: readonly string[]
  rows: number
  cell(row: number, column: number): string | number
}

/** A table over rows that are held anyway. */
export function tableOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): Table {
  return { columns, rows: rows.length, cell: (row, column) => rows[row][column] }
}
