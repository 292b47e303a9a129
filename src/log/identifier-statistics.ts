import type { RunContext } from "../kernels/context.ts"
import { findIdentifiers } from "../text/identifiers/find-identifiers.ts"
import { allKinds, defaultKinds, type IdentifierKind, identifierKinds, kindBit } from "../text/identifiers/kinds.ts"
import type { SearchLog } from "./search-log.ts"
import type { QueryCounts } from "./statistics.ts"

/** How much of a log contains an identifier of one kind, of any kind, or of any kind but `person`. */
export interface IdentifierPart {
  kind: IdentifierKind | "any" | "any but person"
  queries: number
  events: number
  rows: number
}

/** Counts by kind. A query with several kinds counts once for each of them, and once for each of the last two parts. */
export async function measureIdentifiers(
  log: SearchLog,
  counts: QueryCounts,
  context: RunContext,
): Promise<IdentifierPart[]> {
  const report: RunContext["report"] = (progress) => context.report({ ...progress, stage: "looking for identifiers" })
  const found = await findIdentifiers(log.queries, allKinds, { ...context, report })
  const parts: { part: IdentifierPart; kinds: number }[] = [
    ...identifierKinds.map((kind) => ({ part: emptyPart(kind), kinds: kindBit(kind) })),
    { part: emptyPart("any but person"), kinds: defaultKinds },
    { part: emptyPart("any"), kinds: allKinds },
  ]
  for (let query = 0; query < found.length; query++) {
    if (found[query] === 0 || counts.events[query] === 0) continue
    for (const { part, kinds } of parts) {
      if ((found[query] & kinds) === 0) continue
      part.queries++
      part.events += counts.events[query]
      part.rows += counts.rows[query]
    }
  }
  return parts.map(({ part }) => part)
}

function emptyPart(kind: IdentifierPart["kind"]): IdentifierPart {
  return { kind, queries: 0, events: 0, rows: 0 }
}
