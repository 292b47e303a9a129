import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import type { ColumnTable } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { KeyCounts } from "./bound-users.ts"
import { tableInKeyOrder } from "./key-tables.ts"
import type { CountsOptions } from "./options.ts"
import type { CountsParts } from "./parts.ts"
import type { Mechanism, Plan } from "./plan-mechanisms.ts"
import { findInLog, joinTexts, type Pool } from "./pool.ts"
import { type Shown, selectKeys } from "./select-keys.ts"
import { transitionRule } from "./transition-rule.ts"
import type { KeyBound } from "./user-keys.ts"

/** The inputs of a run, for every mode. */
export interface CountsRun {
  log: SearchLog
  options: CountsOptions
  plan: Plan
  parts: CountsParts
  pool: Pool
}

export interface CountsTables {
  tables: Record<string, ColumnTable>
  withheld: Record<string, number>
}

/** The bound that a mechanism puts on one user. */
export function boundOf({ l0, perKey }: Mechanism, { bound }: CountsOptions): KeyBound {
  return { most: l0, perKey, choose: bound }
}

/**
 * Counts keys of the log, selected by threshold (docs/methods/counts.md). Each table is bounded, noised and selected by
 * itself. Clicks and transitions are shown only for released queries. This filter costs no privacy, because it works on
 * the outputs of two mechanisms. Noise of keys that the filter removes is not drawn, since it would be thrown away.
 */
export async function countApproximately(run: CountsRun, context: RunContext): Promise<CountsTables> {
  const { log, options, plan, parts } = run
  const tables: Record<string, ColumnTable> = {}
  const withheld: Record<string, number> = {}
  let among: Uint8Array = new Uint8Array(log.queries.size)
  for (const mechanism of plan.mechanisms) {
    const noise = parts.createNoise(mechanism, context.random)
    const bound = boundOf(mechanism, options)
    if (mechanism.table === "queries") {
      const counts = { size: log.queries.size, ...(await parts.countQueries(log, bound, context)) }
      const shown = selectQueries(run, { counts, mechanism, noise })
      among = shown.among
      tables.queries = shown.table
      withheld["queries under their threshold"] = countKeys(counts.users) - shown.ofLog
    } else {
      const counts =
        mechanism.table === "clicks"
          ? await parts.countClicks(log, bound, { among }, context)
          : await parts.countTransitions(log, bound, { among, rule: transitionRule(options) }, context)
      const shown = selectKeys(counts, mechanism, { noise })
      tables[mechanism.table] = pairTable(mechanism.table, log, { counts, shown })
      withheld[`${mechanism.table} of released queries under their threshold`] = counts.size - shown.places.length
    }
    await yieldAndReport(context, {
      stage: "selecting",
      done: Object.keys(tables).length,
      total: plan.mechanisms.length,
    })
  }
  return { tables, withheld }
}

/**
 * Selects queries of the log and of the pool, and marks the selected ones of the log. Frequencies of the pool, if they
 * count, are added first: M(q, Q⁺). For a query of the pool this sum is public except for what the log adds.
 */
export function selectQueries(
  { log, pool }: Pick<CountsRun, "log" | "pool">,
  given: {
    counts: { size: number; users: Uint32Array; total: Float64Array }
    mechanism: Mechanism
    noise: { draw(): number }
  },
): { table: ColumnTable; among: Uint8Array; ofLog: number } {
  const { mechanism, noise } = given
  const counts = { ...given.counts, total: given.counts.total.slice() }
  const inLog = findInLog(pool, log.queries)
  const isPublic = new Uint8Array(log.queries.size)
  for (const [text, query] of inLog.entries()) {
    if (query < 0) continue
    isPublic[query] = 1
    counts.total[query] += pool.frequencies?.[text] ?? 0
  }
  const shown = selectKeys(counts, mechanism, { noise, isPublic })
  const among = new Uint8Array(log.queries.size)
  for (const query of shown.places) among[query] = 1
  const others = inLog.reduce((sum, query) => sum + (query < 0 ? 1 : 0), 0)
  if (others === 0) return { table: queryTable(log.queries, shown), among, ofLog: shown.places.length }
  // Texts that are not in the log at all: their count is 0, or their frequency in the pool.
  const absent = new Int32Array(others)
  for (let text = 0, at = 0; text < inLog.length; text++) if (inLog[text] < 0) absent[at++] = text
  const total = Float64Array.from(absent, (text) => pool.frequencies?.[text] ?? 0)
  const none = { size: others, users: new Uint8Array(others), total }
  const drawn = selectKeys(none, mechanism, { noise, isPublic: new Uint8Array(others).fill(1) })
  const ids = drawn.places.map((place) => absent[place])
  const { texts, ids: places } = joinTexts({ texts: log.queries, ids: shown.places }, { texts: pool.texts, ids })
  const values = new Float64Array(places.length)
  values.set(shown.values)
  values.set(drawn.values, shown.values.length)
  return { table: queryTable(texts, { places, values }), among, ofLog: shown.places.length }
}

/** The table of queries in key order. */
export function queryTable(texts: Dictionary, { places, values }: Shown): ColumnTable {
  return tableInKeyOrder([{ name: "query", texts, ids: places }], values)
}

/** The table of clicks or transitions in key order. */
export function pairTable(
  table: "clicks" | "transitions",
  log: SearchLog,
  { counts, shown }: { counts: KeyCounts; shown: Shown },
): ColumnTable {
  const second = table === "clicks" ? { name: "url", texts: log.urls } : { name: "next", texts: log.queries }
  return tableInKeyOrder(
    [
      { name: "query", texts: log.queries, ids: shown.places.map((place) => counts.a[place]) },
      { ...second, ids: shown.places.map((place) => counts.b[place]) },
    ],
    shown.values,
  )
}

function countKeys(users: Uint32Array): number {
  let keys = 0
  for (const count of users) if (count > 0) keys++
  return keys
}
