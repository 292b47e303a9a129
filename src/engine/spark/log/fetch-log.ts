import { totalmem } from "node:os"
import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { closeLog } from "../../../log/assemble-log.ts"
import { type SearchLog, sharedInt32, sharedUint16, sharedUint32, unknownRank } from "../../../log/search-log.ts"
import { TextIds } from "../read-table.ts"
import { readRows } from "../read-values.ts"
import type { ClusterLog } from "./cluster-log.ts"

/** Bytes that this machine needs for a row while it is read, with its texts. */
const rowBytes = 256

/** The log in the memory of this machine. Refuses one that would not fit into half of it. */
export async function fetchLog({ session, unit, rows, sizes }: ClusterLog, context: RunContext): Promise<SearchLog> {
  refuseTooLarge(sizes.rows)
  const [users, queries, urls, topics] = [new TextIds(), new TextIds(), new TextIds(), new TextIds()]
  const columns = {
    user: sharedInt32(sizes.rows),
    query: sharedInt32(sizes.rows),
    time: sharedInt32(sizes.rows),
    rank: sharedUint16(sizes.rows),
    url: sharedInt32(sizes.rows),
    category: sharedInt32(sizes.rows),
    line: sharedUint32(sizes.rows),
  }
  let row = 0
  let hasTopics = false
  const running = { stage: "reading rows", signal: context.signal }
  const sql = `SELECT u, q, t, r, l, g FROM ${rows} ORDER BY i`
  for await (const [u, q, t, r, l, g] of readRows(session, sql, running)) {
    columns.user[row] = users.idOf(String(u))
    columns.query[row] = queries.idOf(String(q))
    columns.time[row] = Number(t)
    columns.rank[row] = typeof r === "number" ? r : unknownRank
    columns.url[row] = typeof l === "string" ? urls.idOf(l) : -1
    columns.category[row] = typeof g === "string" ? topics.idOf(g) : -1
    hasTopics ||= typeof g === "string"
    columns.line[row] = ++row
  }
  if (row !== sizes.rows) throw new QueryveilError("kernel-rows", "The cluster gave other rows than it had counted.")
  const { category, ...others } = columns
  const texts = { unit, users: users.freeze(), queries: queries.freeze(), urls: urls.freeze() }
  return hasTopics
    ? closeLog({ ...others, category }, { ...texts, categories: topics.freeze() })
    : closeLog(others, texts)
}

function refuseTooLarge(rows: number): void {
  const needed = 2 * rows * rowBytes
  if (needed <= totalmem()) return
  const inGigabytes = (size: number) => `${Math.ceil(size / 1e9)} GB`
  throw new QueryveilError(
    "remote-refused",
    `The log has ${rows} rows. To read it, this machine would need ${inGigabytes(needed)} of memory, and it has ` +
      `${inGigabytes(totalmem())}. Use a larger machine, or a release of a sample of users.`,
  )
}
