import { dictionaryOf } from "#dist/kernels/dictionary.js"
import type { ColumnTable } from "#dist/kernels/table.js"
import { openDraft, type TablesRelease } from "#dist/release/read-release.js"
import { releaseLog } from "../counts/busy-town.ts"
import type { Search } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"

const seconds = (time: string) => Date.parse(`${time.replace(" ", "T")}Z`) / 1000

/** The searches of each user in order of time. No user has two at the same time here. */
export const historiesOf = (rows: readonly Search[]) =>
  [...groupBy(rows, ({ user }) => user).values()].map((own) =>
    [...own].sort((a, b) => seconds(a.time) - seconds(b.time)),
  )

/** Different queries that one user issued one after another, at most 30 minutes apart. */
export const followingOf = (history: readonly Search[]): [string, string][] =>
  history.slice(1).flatMap((row, i): [string, string][] => {
    const before = history[i]
    if (before === undefined || before.query === row.query) return []
    return seconds(row.time) - seconds(before.time) <= 1800 ? [[before.query, row.query]] : []
  })

/** How often each key occurs. */
function tableOf(names: readonly string[], keys: readonly (readonly string[])[]): ColumnTable {
  const counted = [...groupBy(keys, (key) => JSON.stringify(key)).values()]
  const columns = names.map((name, place) => {
    const cells = counted.map(([key]) => key?.[place] ?? "")
    const texts = dictionaryOf(cells)
    return { name, texts, ids: Int32Array.from(cells, (cell) => texts.find(cell)) }
  })
  const count = { name: "count", values: Float64Array.from(counted, (same) => same.length) }
  return { rows: counted.length, columns: [...columns, count] }
}

/** A release of tables in which all counts of rows are as in the log, or changed by `noise`. */
export async function plainTables(
  path: string,
  rows: readonly Search[],
  noise: (count: number, row: number) => number = (count) => count,
): Promise<TablesRelease> {
  const { draft } = await releaseLog(path)
  const clicks = rows.flatMap(({ query, url }) => (url === undefined ? [] : [[query, url]]))
  const exact = {
    queries: tableOf(
      ["query"],
      rows.map(({ query }) => [query]),
    ),
    clicks: tableOf(["query", "url"], clicks),
    transitions: tableOf(["query", "next"], historiesOf(rows).flatMap(followingOf)),
  }
  if (draft.kind !== "tables") throw new Error("counts release tables")
  draft.tables = Object.fromEntries(
    Object.entries(exact).map(([name, table]): [string, ColumnTable] => {
      const columns = table.columns.map((column) =>
        "values" in column ? { ...column, values: column.values.map(noise) } : column,
      )
      return [name, { rows: table.rows, columns }]
    }),
  )
  return openDraft(draft)
}
