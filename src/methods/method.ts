import type { Static, TObject } from "#typebox"
import type { RunContext } from "../kernels/context.ts"
import type { ColumnTable, Table } from "../kernels/table.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { IdentifierKind } from "../text/identifiers/kinds.ts"
import type { Explanation } from "./explanation.ts"
import type { Guarantee, TablesGuarantee } from "./guarantee.ts"
import type { QueryDecision } from "./query-decision.ts"

/** What a method gives back, before any of it is written. */
export type MethodResult = {
  /** What was left out, by reason. Private: goes to the receipt. */
  withheld: Record<string, number>
  /** Private side tables, by file name without ending. */
  audit: Record<string, Table>
  /** Side tables that name released rows: `order` has, by row of the release, the row of the log that stands there. */
  auditRows?(order: Uint32Array): Record<string, Table>
  /** What the owner should know. Private: goes to the receipt. */
  warnings?: readonly string[]
  /** Exact figures of which the guarantee states rounded ones. Private: goes to the receipt. */
  measured?: Record<string, string | number>
} & (
  | { kind: "queries"; guarantee: Guarantee; decision: QueryDecision }
  // `clickers`, by url: users who really clicked it on a released row, where rows are shown with other users;
  // `cell`, by row: the cell in which its users were swapped
  | { kind: "log"; guarantee: Guarantee; log: SearchLog; clickers?: Uint32Array; cell?: Int32Array }
  | { kind: "tables"; guarantee: TablesGuarantee; tables: Record<string, ColumnTable> }
)

/** What a method would release, before a log is released with it. */
export interface Preview {
  table: Table
  /** Options that seem best, and what a release made with them must say of that. */
  suggested: Record<string, string | number | boolean>
}

/**
 * Turns a log into a release. The options schema is the one source of flags, config keys, defaults, help, manifest
 * parameters and study grids. A property marked `private` is kept out of the manifest, and of one
 * marked `place` the manifest says only that it was given. Pure: no I/O, no clock, no console.
 */
export interface Method<O extends TObject = TObject> {
  name: string
  summary: string
  options: O
  /** Column policies whose choices or defaults are not those of every row-level method. */
  columns?: TObject
  /** Tables have no users, urls or times to show: the column policy is none of the method's options. */
  releases?: "tables"
  /** What is scrubbed unless it is said; without it, every kind of identifier but person. */
  scrub?: string
  /** Kinds of identifiers that the method leaves out itself, by its own rule, instead of being given a log without. */
  scrubsItself?: readonly IdentifierKind[]
  /** Values that `--preset paper` sets in place of the defaults, for the method's options and the column policy. */
  paper: Record<string, string | number | boolean>
  /** Options with what follows from others of them, where it was not said: a manifest then says it. */
  settle?(options: Static<O>): Static<O>
  /** Refuses options that do not go together, before a log is read. */
  check?(options: Static<O>): void
  /** Makes the release of a log. Pure: the same log, options and random numbers give the same result. */
  run(log: SearchLog, options: Static<O>, context: RunContext): Promise<MethodResult>
  /** What releases with other values of the options would hold, for the owner's eyes, before anything is released. */
  preview?(log: SearchLog, options: Static<O>, context: RunContext): Promise<Preview>
  /**
   * Says why `run` releases a query of this log or not, for the owner's eyes, and what would change that. The query is the id
   * of one that somebody issued. Draws nothing that would be released, and claims nothing that `run` does not do.
   */
  explain?(log: SearchLog, query: number, options: Static<O>, context: RunContext): Promise<Explanation>
}
