import type { Released } from "../app/release.ts"
import { tableOf } from "../kernels/table.ts"
import { percent } from "./bars.ts"
import { textTable } from "./print.ts"

/** The exit code of a command that made an empty release. */
export const emptyCode = 4

/** The same code in words, for the help. */
export const emptyExit = { [emptyCode]: "the release is empty" }

/** How much of a log is left in its release. Only for the owner: the log's own counts are private. */
export function sizesText({ receipt, queries }: Pick<Released, "receipt" | "queries">): string {
  const { input, released } = receipt
  const { tables = {} } = released
  const isRows = queries !== undefined
  const rows = [
    ["rows", input.rows, isRows ? released.rows : ""],
    ...(isRows
      ? [["distinct queries", input.queries, queries]]
      : Object.entries(tables).map(([name, size]) => [name, name === "queries" ? input.queries : "", size])),
  ]
  const table = textTable(tableOf(["", "log", "release"], rows))
  if (isRows) return `${table}\n\n${leftText(released.rows, input.rows)} rows are left.`
  if (tables.queries === undefined) return table
  return `${table}\n\n${leftText(tables.queries, input.queries)} distinct queries are left.`
}

function leftText(left: number, of: number): string {
  const share = percent(of === 0 ? 0 : left / of).trim()
  return `${left.toLocaleString("en")} of ${of.toLocaleString("en")} (${share})`
}
