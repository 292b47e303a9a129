import { tableOf } from "../../kernels/table.ts"
import { drawPanels, type PanelOptions } from "../figures/panels.ts"
import type { Figure, PointResult, TableData } from "../study.ts"

export type Cell = string | number
export type Row = Record<string, Cell>

/** The rows of one table from every point that has it, each with the values of its point. */
export function gather(
  results: readonly PointResult[],
  name: string,
  values: readonly string[] = ["mode", "k"],
): Row[] {
  return results.flatMap(({ point, tables }) => {
    const { columns, rows } = tables?.[name] ?? { columns: [], rows: [] }
    const set = Object.fromEntries(values.map((key): [string, Cell] => [key, asCell(point[key])]))
    return rows.map((row) => ({ ...set, ...Object.fromEntries(columns.map((column, i) => [column, row[i] ?? ""])) }))
  })
}

const asCell = (value: string | number | boolean | undefined): Cell =>
  typeof value === "number" ? value : String(value)

/** A figure of curves; its table has these columns of the rows. */
export function panelFigure({
  rows,
  keep,
  draw,
  ...figure
}: Omit<Figure, "data" | "plot"> & { rows: readonly Row[]; keep: readonly string[]; draw: PanelOptions }): Figure {
  const data = tableFigureData(rows, keep)
  return { ...figure, data, plot: (table, canvas) => drawPanels(table, draw, canvas) }
}

export const tableFigureData = (rows: readonly Row[], columns: readonly string[]) =>
  tableOf(
    columns,
    rows.map((row) => columns.map((name) => row[name] ?? "")),
  )

export const nameK = (k: Cell) => `k = ${k}`
/** The value of a column that is nearest to `wanted`. */
export function nearest(rows: readonly Row[], column: string, wanted: number): number {
  const values = [...new Set(rows.map((row) => Number(row[column])))]
  return values.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? wanted
}

/** Rows as the table of a point; the first row has all columns. */
export function tableFrom(rows: readonly Row[]): TableData {
  const columns = Object.keys(rows[0] ?? {})
  return { columns, rows: rows.map((row) => columns.map((name) => row[name] ?? "")) }
}
