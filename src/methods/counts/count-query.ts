import type { RunContext } from "../../kernels/context.ts"
import { withoutQueries } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { boundOf } from "./approximate.ts"
import { countBoundedQueries } from "./bound-users.ts"
import { countFirst } from "./first-searches.ts"
import { histories } from "./histories.ts"
import type { CountsOptions } from "./options.ts"
import { sensitiveQueries } from "./paper.ts"
import type { Mechanism } from "./plan-mechanisms.ts"
import { transitionRule } from "./transition-rule.ts"

/** How many users count for a query, and how much they add in total. */
interface BoundedCount {
  users: number
  total: number
}

/** How a query counts. Its count is random if users' queries are chosen at random. */
export interface CountedQuery {
  least: BoundedCount
  most: BoundedCount
  isRandom: boolean
  /** The users who count only by chance: what each adds, and how likely. */
  drawn: { adds: number; chance: number }[]
  /** Why the query is not counted at all. */
  removed?: string
}

/** Counts one query in the way of the mode. */
export async function countQuery(
  log: SearchLog,
  query: number,
  { options, mechanism }: { options: CountsOptions; mechanism: Mechanism },
  context: RunContext,
): Promise<CountedQuery> {
  const { mode, firstQueries: queries = 10, firstClicks: clicks = 10 } = options
  const rule = transitionRule(options)
  if (mode === "paper") {
    const sensitive = await sensitiveQueries(log, context)
    const removed = "it has fewer than 5 searches, or a word that only one user issued"
    if (sensitive[query] === 1) return { ...certain({ users: 0, total: 0 }), removed }
    const first = countFirst(withoutQueries(log, sensitive), { queries, clicks, rule })
    return certain({ users: first.users[query], total: first.total[query] })
  }
  if (mode === "korolova") {
    const first = countFirst(log, { queries, clicks, rule })
    return certain({ users: first.users[query], total: first.total[query] })
  }
  if (options.bound === "random") return countDrawn(log, query, mechanism)
  const { users, total } = await countBoundedQueries(log, boundOf(mechanism, options), context)
  return certain({ users: users[query], total: total[query] })
}

const certain = (count: BoundedCount): CountedQuery => ({ least: count, most: count, isRandom: false, drawn: [] })

/** A user with d distinct queries, of which ℓ₀ are drawn, counts with the chance ℓ₀/d, independently of others. */
function countDrawn(log: SearchLog, query: number, { l0, perKey }: Mechanism): CountedQuery {
  const [least, most] = [
    { users: 0, total: 0 },
    { users: 0, total: 0 },
  ]
  const drawn: CountedQuery["drawn"] = []
  for (const { events, size } of histories(log)) {
    let times = 0
    for (let i = 0; i < size; i++) if (log.query[events[i]] === query) times++
    if (times === 0) continue
    const distinct = new Set(Array.from(events.subarray(0, size), (row) => log.query[row])).size
    const adds = Math.min(times, perKey)
    most.users++
    most.total += adds
    if (distinct > l0) drawn.push({ adds, chance: l0 / distinct })
    else {
      least.users++
      least.total += adds
    }
  }
  return { least, most, isRandom: drawn.length > 0, drawn }
}
