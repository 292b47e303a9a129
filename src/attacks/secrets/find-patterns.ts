import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { countQueries } from "../../log/statistics.ts"
import type { Finding, Scored } from "../../probes/score.ts"
import { findIdentifiers } from "../../text/identifiers/find-identifiers.ts"
import { allKinds, defaultKinds, identifierKinds, type KindSet, kindBit } from "../../text/identifiers/kinds.ts"

/** A name that fewer users than this searched for is unlikely to be famous. */
export const fewUsers = 5

/**
 * Counts the identifiers that survive, exactly. Of the log's distinct queries that hold one (of any kind but `person`,
 * and of each kind in the log), and of their searches, it gives the share whose text is released. It also gives the
 * share of the released texts that hold one, next to the log's share. Identifiers that the detectors do not know are
 * not counted. A name that many users searched for may be famous, so names are judged only in queries of fewer than
 * `fewUsers` users.
 */
export async function findPatterns(log: SearchLog, released: Dictionary, context: RunContext): Promise<Finding[]> {
  const report: RunContext["report"] = (progress) => context.report({ ...progress, stage: "looking for identifiers" })
  const quiet = { ...context, report }
  const held = await findIdentifiers(log.queries, allKinds, quiet)
  const shown = await findIdentifiers(released, defaultKinds, quiet)
  const { events, users } = countQueries(log)
  const count = (kinds: KindSet, below = Number.POSITIVE_INFINITY) => {
    const sum = { queries: 0, searches: 0, queriesShown: 0, searchesShown: 0 }
    for (let query = 0; query < held.length; query++) {
      if ((held[query] & kinds) === 0 || events[query] === 0 || users[query] >= below) continue
      const isShown = released.findBytes(log.queries.bytes(query)) >= 0
      sum.queries++
      sum.searches += events[query]
      if (isShown) sum.queriesShown++
      if (isShown) sum.searchesShown += events[query]
    }
    return sum
  }
  const share = (scored: Scored, [part, n]: readonly [number, number], baseline = 1): Finding => {
    return { ...scored, value: n === 0 ? 0 : part / n, n, baseline, chance: 0, better: "lower" }
  }
  const any = count(defaultKinds)
  const queries = events.reduce((sum, searches) => sum + (searches > 0 ? 1 : 0), 0)
  const withPattern = shown.reduce((sum, kinds) => sum + (kinds === 0 ? 0 : 1), 0)
  return [
    share({ score: "pattern" }, [any.queriesShown, any.queries]),
    share({ score: "pattern-searches" }, [any.searchesShown, any.searches]),
    share({ score: "pattern-released" }, [withPattern, released.size], queries === 0 ? 0 : any.queries / queries),
    ...identifierKinds.flatMap((kind) => {
      const own = count(kindBit(kind))
      if (own.queries === 0) return []
      const found = share({ score: "pattern", at: { kind } }, [own.queriesShown, own.queries])
      if (kind !== "person") return [found]
      const rare = count(kindBit(kind), fewUsers)
      return [{ ...found, chance: null }, share({ score: "rare-names" }, [rare.queriesShown, rare.queries])]
    }),
  ]
}
