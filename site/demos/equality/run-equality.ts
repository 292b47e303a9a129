import type { RunContext } from "../../../src/kernels/context.ts"
import type { SearchLog } from "../../../src/log/search-log.ts"
import { equality } from "../../../src/methods/equality/equality.ts"
import { applyDecision } from "../../../src/methods/query-decision.ts"
import { arrangeRows } from "../../../src/release/arrange-rows.ts"
import { nameText } from "../log/show-names.ts"

/** A row of the release. Only the first three are published; `row` is the owner's way back to the log. */
interface ReleasedRow {
  name: string
  query: string
  /** UTC seconds, cut to the hour. */
  time: number
  row: number
}

/** What became of a query of the log. */
export interface QueryOutcome {
  query: string
  users: number
  rows: number
  isReleased: boolean
}

/** The release that `queryveil anonymize equality` makes with its defaults, and why (private). */
export interface EqualityRun {
  released: ReleasedRow[]
  /** The most users first. */
  queries: QueryOutcome[]
  statement: string
}

/** Runs the method, and draws order and names of the released rows as a release does. */
export async function runEquality(log: SearchLog, { k }: { k: number }, context: RunContext): Promise<EqualityRun> {
  const result = await equality.run(log, { k }, context)
  if (result.kind !== "queries") throw new Error("equality decides query by query")
  const { log: shown, keep } = applyDecision(log, result.decision)
  const policy = { users: "session", urls: "drop", time: "hour", category: false } as const
  const { order, group, names, timeUnit } = await arrangeRows(shown, { rows: keep, policy, threshold: k }, context)
  if (names === undefined) throw new Error("sessions have names")
  const released = Array.from(order, (row, i) => ({
    name: nameText(names, group[i]),
    query: shown.queries.text(shown.query[row]),
    time: Math.floor(shown.time[row] / timeUnit) * timeUnit,
    row,
  }))
  return { released, queries: outcomesOf(log, result.audit.queries), statement: result.guarantee.statement }
}

function outcomesOf(
  log: SearchLog,
  table: { rows: number; cell(row: number, column: number): unknown },
): QueryOutcome[] {
  const rows = new Map<string, number>()
  for (const query of log.query) rows.set(log.queries.text(query), (rows.get(log.queries.text(query)) ?? 0) + 1)
  const outcomes = Array.from({ length: table.rows }, (_, row) => {
    const query = String(table.cell(row, 0))
    const users = Number(table.cell(row, 1))
    return { query, users, rows: rows.get(query) ?? 0, isReleased: table.cell(row, 2) === "released" }
  })
  return outcomes.sort((a, b) => b.users - a.users || b.rows - a.rows || (a.query < b.query ? -1 : 1))
}
