import type { RunContext } from "../../../kernels/context.ts"
import type { OptionValues } from "../../../release/anonymize.ts"
import type { RemoteDecision, RemoteRequest, RemoteTables, TablesRequest } from "../../remote-log.ts"
import type { ScrubbedLog } from "../log/cluster-log.ts"

/** What a method decided about a log: about its queries, or about its rows. */
type DecidedOnCluster = Pick<RemoteDecision, "guarantee" | "withheld" | "audit" | "warnings" | "measured" | "seeded"> &
  (
    | {
        /**
         * A query in brackets of what is shown (`shown`) instead of each released query (`q`), and its number (`f`):
         * rows of the same second leave in the order of these numbers, as in the single process.
         */
        shown: string
      }
    | {
        /**
         * A query of the released rows (`i`, `u`, `q`, `f`, `t`, `r`, `l`), shown under other users than those who
         * clicked (`clicker`), with their cells (`cell`) and topics (`c`).
         */
        swapped: string
      }
  )

/** How a method that releases rows runs on a cluster. */
export interface RowPlan {
  /** Why these options cannot be used on a cluster; undefined if they can. */
  refuse?(parameters: OptionValues): string | undefined
  /** Decides. The log has no row of a query that was scrubbed in the counts, but in its rows. */
  decide(log: ScrubbedLog, request: RemoteRequest, context: RunContext): Promise<DecidedOnCluster>
}

/** How a method that releases tables runs on a cluster. */
export interface TablePlan {
  /** Why these options cannot be used on a cluster; undefined if they can. */
  refuse?(parameters: OptionValues): string | undefined
  /** Makes the tables. The log has rows of scrubbed queries, which must not count. */
  decide(log: ScrubbedLog, request: TablesRequest, context: RunContext): Promise<RemoteTables>
}
