import { kolmogorovSmirnov } from "../../kernels/statistics/kolmogorov-smirnov.ts"
import { type Table, tableOf } from "../../kernels/table.ts"
import type { Row } from "./rows.ts"

const groupBy = (rows: readonly Row[], keyOf: (row: Row) => string): [string, Row[]][] => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups]
}

/** For each attacker and mode: D and p of the shares over the grid against 1/k, of all records and of named records. */
export function compareWithTheory(rows: readonly Row[]): { data: Table } {
  const numbers = (list: readonly Row[], column: string) => list.map((row) => Number(row[column]))
  const lines = groupBy(rows, (row) => JSON.stringify([row.mode, row.attacker])).map(([, list]) => {
    const [all, named] = ["share", "shareOfNamed"].map((column) =>
      kolmogorovSmirnov(numbers(list, column), numbers(list, "bound")),
    )
    const over = list.filter((row) => Number(row.named) > 0 && Number(row.lowOfNamed) > Number(row.bound)).length
    const [first] = list
    return [
      first?.mode ?? "",
      first?.attacker ?? "",
      all?.statistic ?? 0,
      all?.p ?? 1,
      named?.statistic ?? 0,
      named?.p ?? 1,
      list.length,
      over,
    ]
  })
  const columns = ["mode", "attacker", "D", "p", "D of named", "p of named", "settings", "over 1/k"]
  return { data: tableOf(columns, lines) }
}

/** For each attacker: the cumulative distributions of the measured shares and of 1/k, as steps. */
export function cumulativeCurves(rows: readonly Row[]): Row[] {
  return groupBy(rows, ({ attacker }) => String(attacker)).flatMap(([attacker, list]) =>
    [
      ["measured", "share"],
      ["1/k", "bound"],
    ].flatMap(([curve = "", column = ""]) => {
      const values = list.map((row) => Number(row[column])).sort((a, b) => a - b)
      const steps = values.map((share, i): Row => ({ attacker, curve, share, fraction: (i + 1) / values.length }))
      const last = Math.max(...list.flatMap((row) => [Number(row.share), Number(row.bound)]))
      return [{ attacker, curve, share: 0, fraction: 0 }, ...steps, { attacker, curve, share: last, fraction: 1 }]
    }),
  )
}
