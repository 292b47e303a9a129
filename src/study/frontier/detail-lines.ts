import { formatCell } from "../pages/page.ts"

type Row = Record<string, string | number>

const percent = (share: number) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 2 : 1)} %`
const most = 5

/** The details of a spot in the chart: all about a single release, or one line for each of several releases. */
export function describeSpot(rows: readonly Row[], options: { title: string }): { heading: string; lines: string[] } {
  const [first] = rows
  if (first === undefined || rows.length > 1)
    return { heading: `${rows.length} releases on one spot`, lines: sayEach(rows) }
  return { heading: String(first.label), lines: sayOne(first, options) }
}

function sayOne(row: Row, { title }: { title: string }): string[] {
  const number = (column: string) => formatCell(Number(row[column]))
  const original = row.original === "" ? "" : ` (the log itself: ${number("original")})`
  return [
    `Searches kept: ${keptOf(row)}`,
    `${title.charAt(0).toUpperCase()}${title.slice(1)}: ${number("use")}${original}`,
    `Risk: ${number("risk")}, 95 % interval ${number("low")} to ${number("high")}`,
    `Worst attack: ${row.attacker} (${row.attack})`,
    ...(row.front === "yes" ? ["No other release here is better in both."] : []),
  ]
}

function sayEach(rows: readonly Row[]): string[] {
  const lines = rows
    .slice(0, most)
    .map((row) => `${row.label}: searches kept ${keptOf(row)}, risk ${formatCell(Number(row.risk))} (${row.attack})`)
  return rows.length > most ? [...lines, `and ${rows.length - most} more, in the table of all releases`] : lines
}

const keptOf = ({ kept }: Row) => (kept === "" ? "not measured" : percent(Number(kept)))
