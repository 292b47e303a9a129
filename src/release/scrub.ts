import type { RunContext } from "../kernels/context.ts"
import { withoutQueries } from "../log/filter-log.ts"
import type { SearchLog } from "../log/search-log.ts"
import { findIdentifiers } from "../text/identifiers/find-identifiers.ts"
import { identifierKinds, type KindSet, kindBit, noKinds } from "../text/identifiers/kinds.ts"

/**
 * The log without the queries that hold an identifier of these kinds, and how many there were. A function of each
 * query's text alone, so it weakens nothing that a method proves of the rest.
 */
export async function scrubLog(
  log: SearchLog,
  kinds: KindSet,
  context: RunContext,
): Promise<{ log: SearchLog; withheld: Record<string, number> }> {
  const found = await findIdentifiers(log.queries, kinds, context)
  const leave = new Uint8Array(found.length)
  const counts = new Map<number, number>() // by set of kinds: few queries have any, fewer several
  for (let query = 0; query < found.length; query++) {
    if (found[query] === noKinds) continue
    leave[query] = 1
    counts.set(found[query], (counts.get(found[query]) ?? 0) + 1)
  }
  const withheld: Record<string, number> = {}
  for (const kind of identifierKinds) {
    let queries = 0
    for (const [held, count] of counts) if ((held & kindBit(kind)) !== 0) queries += count
    if (queries > 0) withheld[`queries with an identifier: ${kind}`] = queries
  }
  const scrubbed = withoutQueries(log, leave)
  if (scrubbed.rows < log.rows) withheld["rows of queries with an identifier"] = log.rows - scrubbed.rows
  return { log: scrubbed, withheld }
}
