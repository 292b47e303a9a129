import type { RunContext } from "../../../kernels/context.ts"
import type { Table } from "../../../kernels/table.ts"
import { equalityGuarantee } from "../../../methods/query-guarantees.ts"
import type { ScrubbedLog } from "../log/cluster-log.ts"
import { readTable } from "../read-table.ts"
import { readNumbers } from "../read-values.ts"
import type { RowPlan } from "./row-plan.ts"

/** Equality on a cluster: the queries that at least k users issued, counted in SQL. */
export const equalityPlan: RowPlan = {
  async decide(log, { parameters, wantsAudit }, context) {
    const { session, queries, unit } = log
    const k = Number(parameters.k)
    const running = { stage: "selecting", signal: context.signal }
    const counts = [`coalesce(sum(IF(users < ${k}, n, 0)), 0)`, `count_if(users < ${k})`]
    const sql = `SELECT ${counts.join(", ")} FROM ${queries} WHERE s = 0`
    const [rows = 0, under = 0] = await readNumbers(session, sql, running)
    return {
      guarantee: equalityGuarantee({ k, counted: unit }),
      withheld: { "rows of queries under k": rows, "queries under k": under },
      audit: wantsAudit ? { queries: await auditQueries(log, k, context) } : {},
      shown: `(SELECT q, q AS shown, f FROM ${queries} WHERE s = 0 AND users >= ${k})`,
    }
  },
}

/** Every query that the method was given. */
function auditQueries({ session, queries }: ScrubbedLog, k: number, { signal }: RunContext): Promise<Table> {
  const state = `IF(users >= ${k}, 'released', 'withheld')`
  const sql = `SELECT q AS query, users, ${state} AS state FROM ${queries} WHERE s = 0`
  return readTable(session, sql, { stage: "reading audit", signal })
}
