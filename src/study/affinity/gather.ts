import type { Point, PointResult, TableData } from "../study.ts"

export type Cell = string | number
export type Row = Record<string, Cell>

/** The paper, as figures cite it. */
export const paper = "Carpineto & Romano 2015"

/** The name of a part in the figures. */
function methodOf({ part, theta, mode }: Point): string {
  if (part === "equality") return "EQ"
  if (part === "wordnet") return mode === "paper" ? "WNGEN paper" : "WNGEN"
  return `AFF ${theta}`
}

/**
 * The rows of one table from every part that has it. Each row gets the name of its method and, where there are any, of
 * its rules.
 */
export function gather(results: readonly PointResult[], name: string): Row[] {
  return results.flatMap(({ point, tables }) =>
    recordRows(tables?.[name]).map((row) => ({
      method: methodOf(point),
      ...(point.rules === undefined ? {} : { rules: String(point.rules) }),
      ...row,
    })),
  )
}

function recordRows(table: TableData | undefined): Row[] {
  if (table === undefined) return []
  return table.rows.map((row) => Object.fromEntries(table.columns.map((column, i) => [column, row[i] ?? ""])))
}
