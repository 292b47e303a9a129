import { randomBytes } from "node:crypto"
import { Value } from "#typebox"
import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import type { ColumnTable } from "../../../kernels/table.ts"
import { guaranteeCounts, warnOfCounts } from "../../../methods/counts/counts.ts"
import { tableInKeyOrder } from "../../../methods/counts/key-tables.ts"
import { type CountsOptions, countsOptions, type TableName, tableNames } from "../../../methods/counts/options.ts"
import { type Plan, planApproximate } from "../../../methods/counts/plan-mechanisms.ts"
import type { OptionValues } from "../../../release/anonymize.ts"
import { answersIn, kernelTable } from "../kernel-table.ts"
import type { ScrubbedLog } from "../log/cluster-log.ts"
import { makeTable } from "../make-table.ts"
import { TextIds } from "../read-table.ts"
import { readRows } from "../read-values.ts"
import type { SparkSession } from "../session.ts"
import type { TablePlan } from "./row-plan.ts"

/** Why counts cannot be made on a cluster with these options; undefined if they can. */
function refuseCounts({ mode, pool }: OptionValues): string | undefined {
  if (mode !== "approximate") return `--mode ${mode} is made on one machine only`
  return pool === undefined ? undefined : "--pool is for one machine only"
}

/**
 * Noisy counts on a cluster. Users are bounded by a kernel over whole users, bounded counts are summed in SQL, and
 * another kernel draws the noise. What it draws is written to a table once, and only that table is read. The ledger
 * pays before that (`context.beforeNoise`). Only keys that are shown reach this machine.
 */
export const countsPlan: TablePlan = {
  refuse: refuseCounts,
  async decide(log, { parameters }, context) {
    const { session, unit, sizes } = log
    const options = optionsOf(parameters)
    const plan = planApproximate(options)
    const keys = await countKeys(log, options, context)
    await context.beforeNoise?.()
    const noisy = await drawNoise(session, { keys, options }, context)
    const tables = await readTables(session, { noisy, plan }, context)
    const withheld = await countWithheld(session, { keys, noisy, tables }, context)
    await session.dropTable(keys)
    await session.dropTable(noisy)
    return {
      guarantee: guaranteeCounts({ unit, options, plan, pool: "none" }),
      tables,
      withheld,
      warnings: warnOfCounts({ users: sizes.users.size, plan, tables }),
    }
  },
}

/** The options of the method. They were checked before. */
function optionsOf(parameters: OptionValues): CountsOptions {
  const options: unknown = parameters
  if (!Value.Check(countsOptions, options)) throw new QueryveilError("internal", "Options were not checked.")
  return options
}

/** Bounded counts of all keys of the log: table (its number), key, users and total (`g`, `a`, `b`, `u`, `n`). */
async function countKeys(
  { session, rows: all, queries }: ScrubbedLog,
  options: CountsOptions,
  { signal }: RunContext,
): Promise<string> {
  const rows = `(SELECT * FROM ${all} LEFT ANTI JOIN (SELECT q FROM ${queries} WHERE s <> 0) USING (q))`
  const isRandom = options.bound === "random"
  const secret = "queryveil_bound_key"
  if (isRandom) await session.createView(secret, { k: { type: "string", values: [randomBytes(32).toString("hex")] } })
  const row = `u, q, t, r, l${isRandom ? ", k" : ""}`
  const from = `${rows}${isRandom ? ` CROSS JOIN ${secret}` : ""}`
  const bounded = await kernelTable(session, {
    kernel: "bound",
    options: { counts: publicOptions(options) },
    input: `SELECT ${row} FROM ${from} DISTRIBUTE BY u SORT BY u, t, q, r NULLS LAST, l`,
    expected: `SELECT coalesce(sum(n), 0) FROM ${queries} WHERE s = 0`,
    columns: "g INT, a STRING, b STRING, u BIGINT, n BIGINT",
    needed: ["g"],
    ...{ stage: "bounding", signal },
  })
  const sums = `SELECT g, a, b, sum(u) AS u, sum(n) AS n FROM ${answersIn(bounded)} GROUP BY g, a, b`
  const keys = await makeTable(session, sums, { stage: "counting", signal })
  await session.dropTable(bounded)
  return keys
}

/** The options that a kernel needs. Lists of queries are not among them, because a plan is shown in Spark's pages. */
function publicOptions(options: CountsOptions): CountsOptions {
  const { pool: _pool, poolUrls: _urls, scrub: _scrub, scrubExempt: _exempt, ...others } = options
  return others
}

/** The keys that are shown, with their noisy counts (`g`, `a`, `b`, `v`). */
async function drawNoise(
  session: SparkSession,
  { keys, options }: { keys: string; options: CountsOptions },
  { signal }: RunContext,
): Promise<string> {
  const enough = `FROM ${keys} WHERE u >= ${Math.max(1, options.minUsers)}`
  return kernelTable(session, {
    kernel: "noise",
    options: { counts: publicOptions(options) },
    input: `SELECT g, a, b, u, n ${enough}`,
    expected: `SELECT count(*) ${enough}`,
    columns: "g INT, a STRING, b STRING, v BIGINT",
    needed: ["v"],
    ...{ stage: "drawing noise", signal },
  })
}

/** Condition on a key of table `g`: its queries are released. */
function isAmong(table: TableName, noisy: string): string {
  const released = `(SELECT a FROM ${noisy} WHERE g = 0)`
  if (table === "queries") return "TRUE"
  return table === "clicks" ? `a IN ${released}` : `a IN ${released} AND b IN ${released}`
}

/** Reads the tables: clicks and transitions of released queries only. */
async function readTables(
  session: SparkSession,
  { noisy, plan }: { noisy: string; plan: Plan },
  { signal }: RunContext,
): Promise<Record<string, ColumnTable>> {
  const tables: Record<string, ColumnTable> = {}
  for (const { table } of plan.mechanisms) {
    const where = `g = ${tableNames.indexOf(table)} AND ${isAmong(table, noisy)}`
    const [first, second] = [new TextIds(), new TextIds()]
    const ids: [number[], number[]] = [[], []]
    const values: number[] = []
    for await (const [a, b, v] of readRows(session, `SELECT a, b, v FROM ${noisy} WHERE ${where}`, {
      ...{ stage: "counting", signal },
    })) {
      ids[0].push(first.idOf(String(a)))
      ids[1].push(second.idOf(String(b)))
      values.push(Number(v))
    }
    const columns = [
      { name: "query", texts: first.freeze(), ids: Int32Array.from(ids[0]) },
      { name: table === "clicks" ? "url" : "next", texts: second.freeze(), ids: Int32Array.from(ids[1]) },
    ]
    tables[table] = tableInKeyOrder(columns.slice(0, table === "queries" ? 1 : 2), Float64Array.from(values))
  }
  return tables
}

/** How many keys are not shown, by table. Clicks and transitions are counted if their queries are released. */
async function countWithheld(
  session: SparkSession,
  { keys, noisy, tables }: { keys: string; noisy: string; tables: Record<string, ColumnTable> },
  { signal }: RunContext,
): Promise<Record<string, number>> {
  const withheld: Record<string, number> = {}
  for (const table of tableNames) {
    const shown = tables[table]?.rows
    if (shown === undefined) continue
    const where = `g = ${tableNames.indexOf(table)} AND ${isAmong(table, noisy)}`
    const counted = readRows(session, `SELECT count(*) FROM ${keys} WHERE ${where}`, { stage: "counting", signal })
    for await (const [count] of counted)
      withheld[
        table === "queries" ? "queries under their threshold" : `${table} of released queries under their threshold`
      ] = Number(count) - shown
  }
  return withheld
}
