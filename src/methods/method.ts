import type { Static, TObject } from "#typebox"
import type { RunContext } from "../kernels/context.ts"
import type { ColumnTable, Table } from "../kernels/table.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { IdentifierKind } from "../text/identifiers/kinds.ts"
import type { Explanation } from "./explanation.ts"
import type { Guarantee, TablesGuarantee } from "./guarantee.ts"
import type { QueryDecision } from "./query-decision.ts"

/** What a method returns, before anything is written. */
export type MethodResult = {
  /** How much was left out, by reason. Private: goes to the receipt. */
  withheld: Record<string, number>
  /** Private side tables, by file name without extension. */
  audit: Record<string, Table>
  /** Private side tables that refer to released rows. `order` maps each row of the release to its row of the log. */
  auditRows?(order: Uint32Array): Record<string, Table>
  /** What the owner should know. Private: goes to the receipt. */
  warnings?: readonly string[]
  /** Exact numbers that the guarantee states rounded. Private: goes to the receipt. */
  measured?: Record<string, string | number>
  /** True if the random choices can be made again, by a seed or a key that was given (default: as the context). */
  seeded?: boolean
} & (
  | { kind: "queries"; guarantee: Guarantee; decision: QueryDecision }
  // `clickers`, by url: how many users really clicked it on a released row, for methods that show rows under other
  // users. `cell`, by row: the cell in which its users were swapped.
  | { kind: "log"; guarantee: Guarantee; log: SearchLog; clickers?: Uint32Array; cell?: Int32Array }
  | { kind: "tables"; guarantee: TablesGuarantee; tables: Record<string, ColumnTable> }
)

/** What a method would release, shown to the owner before anything is released. */
export interface Preview {
  table: Table
  /**
   * Options that seem best. They include the option that makes the release say they were chosen by looking at the log.
   */
  suggested: Record<string, string | number | boolean>
}

/**
 * Turns a log into a release. The options schema is the only source of flags, config keys, defaults, help, manifest
 * parameters and study grids. The manifest leaves out properties marked `private`. For a property marked `place`, it
 * only says that a value was given. Methods are pure: no I/O, no clock, no console.
 */
export interface Method<O extends TObject = TObject> {
  name: string
  summary: string
  options: O
  /** Column policies whose choices or defaults differ from those of other row-level methods. */
  columns?: TObject
  /**
   * Set if the method releases tables. Tables show no users, urls or times, so the method has no column policy options.
   */
  releases?: "tables"
  /** Identifiers that are scrubbed by default. If missing: every kind except person. */
  scrub?: string
  /** Kinds of identifiers that the method withholds by its own rule. The log that it gets still has them. */
  scrubsItself?: readonly IdentifierKind[]
  /** Values that `--preset paper` uses instead of the defaults, for the method's options and the column policy. */
  paper: Record<string, string | number | boolean>
  /** Fills in options that were not given but follow from others, so that the manifest states them. */
  settle?(options: Static<O>): Static<O>
  /** Refuses options that contradict each other, before the log is read. */
  check?(options: Static<O>): void
  /** Makes the release of a log. Pure: the same log, options and random numbers give the same result. */
  run(log: SearchLog, options: Static<O>, context: RunContext): Promise<MethodResult>
  /** What releases with other option values would contain. Only the owner sees it, before anything is released. */
  preview?(log: SearchLog, options: Static<O>, context: RunContext): Promise<Preview>
  /**
   * Explains to the owner why `run` releases a query of this log or not, and what would change that. `query` is the id
   * of a query that at least one user issued. Draws nothing that would be released, and claims nothing that `run` does
   * not do.
   */
  explain?(log: SearchLog, query: number, options: Static<O>, context: RunContext): Promise<Explanation>
}
