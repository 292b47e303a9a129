import { Type } from "#typebox"
import { yieldAndReport } from "../../kernels/context.ts"
import { countDistinctUsers } from "../../kernels/distinct-users.ts"
import type { Table } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Method } from "../method.ts"
import { countReleasedRows } from "../query-decision.ts"
import { equalityGuarantee } from "../query-guarantees.ts"
import { explainEquality } from "./explain.ts"

/** Options of equality. */
export const equalityOptions = Type.Object({
  k: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "require this many users of a released query",
  }),
})

/**
 * Plain k-anonymity of queries, the baseline EQ of Carpineto & Romano 2015. Releases all rows of the queries that at
 * least k distinct users issued, and nothing else. "The same query" means the same normalised text.
 *
 * Guarantee: the unit is a query text. No query text in the release was issued by fewer than k users of the log,
 * whatever its readers know. Shown by counting, here and independently in the verifier.
 */
export const equality: Method<typeof equalityOptions> = {
  name: "equality",
  summary: "release the rows of queries that at least k users issued (plain k-anonymity)",
  options: equalityOptions,
  paper: { scrub: "none", users: "pseudonym", urls: "keep", time: "exact" },
  async run(log, { k }, context) {
    const users = countDistinctUsers(log.query, log.user, { size: log.queries.size })
    await yieldAndReport(context, { stage: "selecting", done: 0, total: log.rows })
    const released = new Uint8Array(users.length)
    for (let query = 0; query < users.length; query++) if (users[query] >= k) released[query] = 1
    const decision = { released }
    return {
      kind: "queries",
      decision,
      guarantee: equalityGuarantee({ k, counted: log.unit }),
      withheld: withheldByReason(users, { rows: log.rows - countReleasedRows(log, decision), k }),
      audit: { queries: auditTable(log, users, k) },
    }
  },
  explain: async (log, query, { k }) => explainEquality(log, query, { k }),
}

function withheldByReason(users: Uint32Array, { rows, k }: { rows: number; k: number }) {
  let queries = 0
  for (const count of users) if (count > 0 && count < k) queries++
  return { "rows of queries under k": rows, "queries under k": queries }
}

/** Every query that the method was given. A query that was scrubbed before has no users here and is not listed. */
function auditTable(log: SearchLog, users: Uint32Array, k: number): Table {
  const listed = new Uint32Array(users.length)
  let rows = 0
  for (let query = 0; query < users.length; query++) if (users[query] > 0) listed[rows++] = query
  return {
    columns: ["query", "users", "state"],
    rows,
    cell: (row, column) => {
      const query = listed[row]
      if (column === 0) return log.queries.text(query)
      return column === 1 ? users[query] : users[query] >= k ? "released" : "withheld"
    },
  }
}
