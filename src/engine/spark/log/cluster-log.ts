import type { Unit } from "../../../log/search-log.ts"
import type { LogSizes } from "../../../release/receipt.ts"
import type { SparkSession } from "../session.ts"

/** A log on a cluster, as the plans of methods see it. */
export interface ClusterLog {
  session: SparkSession
  unit: Unit
  sizes: LogSizes
  /**
   * A query in brackets of all rows: `i` (a number), `u` (user), `q` (query), `t` (seconds), `r` (rank), `l` (url), `g`
   * (topic).
   */
  rows: string
}

/** A log whose distinct queries were counted and searched for identifiers. */
export interface ScrubbedLog extends ClusterLog {
  /**
   * A query in brackets of the distinct queries: `q`, `users`, `events`, `n` (rows), `f` (its first row), and `s`, the
   * kinds of identifiers found (0 if the query is exempt).
   */
  queries: string
}
