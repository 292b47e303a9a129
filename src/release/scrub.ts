import type { RunContext } from "../kernels/context.ts"
import type { Dictionary } from "../kernels/dictionary.ts"
import { withoutQueries } from "../log/filter-log.ts"
import type { SearchLog } from "../log/search-log.ts"
import { digestExempt, type ExemptQueries, noneExempt, parseExempt } from "../text/identifiers/exempt-queries.ts"
import { findIdentifiers } from "../text/identifiers/find-identifiers.ts"
import { identifierKinds, type KindSet, kindBit, noKinds, parseKinds } from "../text/identifiers/kinds.ts"

/** Which queries are left out before a method runs. */
export interface ScrubRule {
  kinds: KindSet
  exempt: ExemptQueries
}

/** The scrub rule in the options of a method. */
export function scrubRuleOf(parameters: Readonly<Record<string, unknown>>): ScrubRule {
  const { scrub = "none", scrubExempt } = parameters
  return {
    kinds: parseKinds(String(scrub)),
    exempt: scrubExempt === undefined ? noneExempt : parseExempt(String(scrubExempt)),
  }
}

/** What a receipt says about the owner's list of exempt queries. */
export interface ExemptFigures {
  /** The digest of the list, in the order of the audit. */
  sha256: string
  queries: number
  /** Number of queries in the list that are not in the log. */
  notInLog: number
  /** Number of queries in the list in which the detectors find something. */
  spared: number
}

/**
 * The log without the queries that contain an identifier of these kinds, except those on the owner's list. Also returns
 * how many were withheld. Depends on the text of each query alone, so it weakens nothing that a method proves about the
 * rest.
 */
export async function scrubLog(
  log: SearchLog,
  { kinds, exempt }: ScrubRule,
  context: RunContext,
): Promise<{ log: SearchLog; withheld: Record<string, number>; exempted?: ExemptFigures }> {
  const found = await findIdentifiers(log.queries, kinds, context)
  const exempted = spareExempt(log.queries, found, exempt)
  const leave = new Uint8Array(found.length)
  const counts = new Map<number, number>() // by set of kinds: few queries have any, fewer have several
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
  return { log: scrubbed, withheld, ...(exempted && { exempted }) }
}

/** Clears what was found in the queries of the owner's list. */
function spareExempt(queries: Dictionary, found: Uint16Array, exempt: ExemptQueries): ExemptFigures | undefined {
  if (exempt.size === 0) return undefined
  let notInLog = 0
  let spared = 0
  for (const text of exempt) {
    const query = queries.find(text)
    if (query < 0) notInLog++
    else {
      if (found[query] !== noKinds) spared++
      found[query] = noKinds
    }
  }
  return { sha256: digestExempt(exempt), queries: exempt.size, notInLog, spared }
}
