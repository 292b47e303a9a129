import { withoutQueries } from "../log/filter-log.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { ExemptQueries } from "../text/identifiers/exempt-queries.ts"
import { type KindSet, noKinds } from "../text/identifiers/kinds.ts"
import { detectKinds } from "../text/identifiers/registry.ts"

/**
 * The log without the queries that contain an identifier of these kinds and are not exempt. Every detector reads each
 * text.
 */
export function withoutScrubbed(log: SearchLog, kinds: KindSet, exempt: ExemptQueries): SearchLog {
  if (kinds === noKinds) return log
  const leave = new Uint8Array(log.queries.size)
  for (let query = 0; query < leave.length; query++) {
    const text = log.queries.text(query)
    if (detectKinds(text, kinds) !== noKinds && !exempt.has(text)) leave[query] = 1
  }
  return withoutQueries(log, leave)
}
