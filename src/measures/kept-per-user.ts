import { Type } from "#typebox"
import type { SearchLog } from "../log/search-log.ts"
import { hasQueries, type ReleaseProbe } from "../probes/probe.ts"
import { labelAlone } from "../probes/score.ts"
import { markReleased } from "./mark-released.ts"
import { quantile } from "./quantile.ts"

const options = Type.Object({})

/** The released shares of each user's distinct queries and events, for every user in the log, in ascending order. */
export interface UserShares {
  queries: Float64Array
  events: Float64Array
}

/** Computes the shares. `released` holds a 1 for each released query. The log must be grouped by user. */
export function sharesOfUsers(log: SearchLog, released: ArrayLike<number>): UserShares {
  const queries: number[] = []
  const events: number[] = []
  const seenBy = new Int32Array(log.queries.size).fill(-1)
  let sum = { queries: 0, keptQueries: 0, events: 0, keptEvents: 0 }
  for (let row = 0; row < log.rows; row++) {
    const user = log.user[row]
    if (user < 0) continue
    const query = log.query[row]
    const kept = released[query] === 1 ? 1 : 0
    if (seenBy[query] !== user) {
      seenBy[query] = user
      sum.queries++
      sum.keptQueries += kept
    }
    if (row === 0 || log.event[row] !== log.event[row - 1]) {
      sum.events++
      sum.keptEvents += kept
    }
    if (row + 1 < log.rows && log.user[row + 1] === user) continue
    queries.push(sum.keptQueries / sum.queries)
    events.push(sum.keptEvents / sum.events)
    sum = { queries: 0, keptQueries: 0, events: 0, keptEvents: 0 }
  }
  return { queries: Float64Array.from(queries).sort(), events: Float64Array.from(events).sort() }
}

/** Quartiles over the users of the log of the released share of their searches. */
export const keptPerUser: ReleaseProbe<typeof options> = {
  name: "kept-per-user",
  looksAt: "any",
  summary: "share of a user's distinct queries and events that is released: quartiles over the users",
  options,
  label: labelAlone,
  applies: (subject) => (subject.log.users.size === 0 ? "the log has no users" : hasQueries(subject)),
  async run({ release, log }, _options, context) {
    const shares = sharesOfUsers(log, await markReleased(log, release, context))
    return (["queries", "events"] as const).flatMap((part) =>
      [25, 50, 75].map((percent) => ({
        score: `${part}-per-user`,
        at: { percent },
        value: quantile(shares[part], percent / 100),
        n: shares[part].length,
        baseline: 1,
        better: "higher" as const,
      })),
    )
  },
}
