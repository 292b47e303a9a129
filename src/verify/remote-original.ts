import type { RunContext } from "../kernels/context.ts"
import type { Dictionary } from "../kernels/dictionary.ts"
import type { ColumnTable } from "../kernels/table.ts"
import type { SearchLog, Unit } from "../log/search-log.ts"
import type { DpMechanism } from "../methods/dp-guarantee.ts"
import type { BoundedCount, SecondOrder } from "./dp-counts.ts"

/** The models whose verifiers can leave the counting to an engine. The others need the rows. */
export const remoteModels: readonly string[] = ["equality", "dp"]

/** How the rows of a release differ from the rows that a log elsewhere has of the released texts. */
export interface RowDifferences {
  /** Rows of the log with a released text. */
  rows: number
  /** Pairs of a text and a time, as it is shown, that the release and the log have in different numbers of rows. */
  differing: number
  /** Shown clicks that the log does not have, or has fewer times. */
  strangeClicks: number
  /** By url of the release: how many users clicked it on rows with a released text. */
  clickers: ArrayLike<number>
}

/** The original of a release, in a database elsewhere. It counts for a verifier, in its own way. */
export interface RemoteOriginal {
  /** What its user column distinguishes. */
  readonly unit: Unit
  /** By text: how many users issued it. */
  countUsers(texts: Dictionary, context: RunContext): Promise<ArrayLike<number>>
  /** Compares the rows of a release. Times are cut to a multiple of `timeUnit`; 0 if they are not shown. */
  compareRows(released: SearchLog, options: { timeUnit: number }, context: RunContext): Promise<RowDifferences>
  /** By row of a table of counts: what the bounded users add to its key; undefined if the log has no such key. */
  countBounded(
    table: ColumnTable,
    options: Pick<DpMechanism, "table" | "l0" | "perKey"> & {
      sessionGap?: unknown
      repeats?: unknown
      within: SecondOrder
    },
    context: RunContext,
  ): Promise<readonly (BoundedCount | undefined)[]>
}
