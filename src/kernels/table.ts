import type { Dictionary } from "./dictionary.ts"

/** A table read cell by cell, so that nothing is copied before it is written. */
export interface Table {
  columns: readonly string[]
  rows: number
  /** The value in a row (from 0) and a column (an index of `columns`). */
  cell(row: number, column: number): string | number
}

/** A table over rows that are in memory anyway. */
export function tableOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): Table {
  return { columns, rows: rows.length, cell: (row, column) => rows[row][column] }
}

/** A column of texts, by id, or a column of numbers. */
export type TableColumn = { name: string } & ({ texts: Dictionary; ids: Int32Array } | { values: Float64Array })

/** A table to be published: columns of equal length. Rows are formatted only when they are written. */
export interface ColumnTable {
  rows: number
  columns: readonly TableColumn[]
}

/** A released table, readable cell by cell, for people and small tests. */
export function tableOfColumns({ rows, columns }: ColumnTable): Table {
  return {
    columns: columns.map(({ name }) => name),
    rows,
    cell: (row, place) => {
      const column = columns[place]
      return "values" in column ? column.values[row] : column.texts.text(column.ids[row])
    },
  }
}
