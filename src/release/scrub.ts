import { Type } from "typebox"
import type { RunContext } from "../kernels/context.ts"
import { withoutQueries } from "../log/filter-log.ts"
import type { SearchLog } from "../log/search-log.ts"
import { findIdentifiers } from "../text/identifiers/find-identifiers.ts"
import { identifierKinds, kindBit, parseKinds } from "../text/identifiers/kinds.ts"

/** Which direct identifiers a released query may not hold. */
export const scrubOption = Type.Object({
  scrub: Type.String({
    default: "default",
    placeholder: "kinds",
    description: `leave out queries that hold a direct identifier: all, none, default (all but person), or some of ${identifierKinds.join(",")}`,
  }),
})

/**
 * The log without the queries that hold an identifier of these kinds, and how many there were. A function of each
 * query's text alone, so it weakens nothing that a method proves of the rest.
 */
export async function scrubLog(
  log: SearchLog,
  scrub: string,
  context: RunContext,
): Promise<{ log: SearchLog; withheld: Record<string, number> }> {
  const found = await findIdentifiers(log.queries, parseKinds(scrub), context)
  const leave = new Uint8Array(found.length)
  const withheld: Record<string, number> = {}
  for (const kind of identifierKinds) {
    const bit = kindBit(kind)
    let queries = 0
    for (const kinds of found) if ((kinds & bit) !== 0) queries++
    if (queries > 0) withheld[`queries with an identifier: ${kind}`] = queries
  }
  for (let query = 0; query < found.length; query++) if (found[query] !== 0) leave[query] = 1
  const scrubbed = withoutQueries(log, leave)
  if (scrubbed.rows < log.rows) withheld["rows of queries with an identifier"] = log.rows - scrubbed.rows
  return { log: scrubbed, withheld }
}
