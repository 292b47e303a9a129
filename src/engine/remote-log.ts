import type { RunContext } from "../kernels/context.ts"
import type { ColumnTable, Table } from "../kernels/table.ts"
import type { ColumnChoice } from "../log/formats/columns.ts"
import type { Intake } from "../log/intake.ts"
import type { ReadResult } from "../log/parse-sources.ts"
import type { Unit } from "../log/search-log.ts"
import type { Guarantee, TablesGuarantee } from "../methods/guarantee.ts"
import type { Method } from "../methods/method.ts"
import type { OptionValues } from "../release/anonymize.ts"
import type { ColumnPolicy } from "../release/column-policy.ts"
import type { FileFormat, RowsManifest } from "../release/manifest.ts"
import type { LogSizes } from "../release/receipt.ts"
import type { ExemptFigures } from "../release/scrub.ts"
import type { IdentifierKind } from "../text/identifiers/kinds.ts"
import type { RemoteOriginal } from "../verify/remote-original.ts"

/** What to release from a remote log. All options are checked and complete. */
export interface RemoteRequest {
  method: Method
  parameters: OptionValues
  /** What a row may show of users, urls and times. */
  policy: ColumnPolicy
  /** Queries with an identifier of these kinds are withheld before the method decides. */
  scrub: readonly IdentifierKind[]
  /** Normalised queries that are not withheld for an identifier. */
  exempt: readonly string[]
  /** True if the side tables will be written. Without it, an engine need not make them. */
  wantsAudit: boolean
}

/** What may be released, decided where the log is. The rows are written together with the release. */
export interface RemoteDecision {
  guarantee: Guarantee
  /** How much was withheld, by reason. Private: it goes to the receipt. */
  withheld: Record<string, number>
  /** Private side tables, by file name without extension. */
  audit: Record<string, Table>
  warnings?: readonly string[]
  /** True if the random choices can be made again, with a key that was given (default false). */
  seeded?: boolean
  /** The exact values of numbers that the guarantee states rounded. Private: it goes to the receipt. */
  measured?: Record<string, string | number>
  /**
   * Figures about the exempt queries. Private: it goes to the receipt. An engine that leaves it out does not support
   * exempt queries.
   */
  exempted?: ExemptFigures
  /** Applies the decision to the rows: writes them to the folder, as files that the manifest then lists. */
  writeParts(folder: string, options: { to: FileFormat }, context: RunContext): Promise<RowsManifest["files"]>
}

/** What to release from a remote log as tables. Tables show no users and no times. */
export type TablesRequest = Omit<RemoteRequest, "policy">

/** Tables that may be released, made where the log is. They are small, and were written down once. */
export interface RemoteTables {
  guarantee: TablesGuarantee
  /** By file name without extension. Rows are in key order. */
  tables: Record<string, ColumnTable>
  /** How much was withheld, by reason. Private: it goes to the receipt. */
  withheld: Record<string, number>
  warnings?: readonly string[]
  /** Figures about the exempt queries, as in `RemoteDecision`. */
  exempted?: ExemptFigures
}

/**
 * A log that stays where it is, because it is too large for one machine or must not be copied. The decision and its
 * application to rows both run there. The manifest, the receipt, the audit and the ledger are made here.
 */
export interface RemoteLog {
  /** What was read. Private: it goes to the receipt. Each file represents a table, with the digest of its snapshot. */
  readonly intake: Intake
  readonly log: LogSizes
  /** Why the engine cannot release this; undefined if it can. Called before any work. Tables have no policy. */
  refuse(request: TablesRequest & Partial<Pick<RemoteRequest, "policy">>): string | undefined
  /** Decides what may be released. */
  decide(request: RemoteRequest, context: RunContext): Promise<RemoteDecision>
  /** Makes the tables of a method that releases tables. An engine without it makes none. */
  decideTables?(request: TablesRequest, context: RunContext): Promise<RemoteTables>
  /** Opens the log as the original of a release, for verifiers. An engine without it verifies nothing. */
  original?(request: Pick<RemoteRequest, "scrub" | "exempt">, context: RunContext): Promise<RemoteOriginal>
  /** Reads all rows into the memory of this machine, for attacks and measures. Refuses a log that does not fit. */
  read?(context: RunContext): Promise<ReadResult>
  /** Ends the connection. */
  close(): Promise<void>
}

/** How to read a remote log. */
export interface RemoteLogOptions {
  /** Where the columns are, by name or by position from 1 (default: recognised by their names). */
  columns?: ColumnChoice
  /** What the user column distinguishes (default: users). */
  unit?: Unit
}

/** Opens logs at one kind of address, named by its scheme: `sc` for `sc://HOST:15002`. */
export interface Engine {
  /** The scheme. */
  name: string
  summary: string
  /** Opens a log (a table, or a path as the engine knows it) at an address. */
  open(address: string, log: string, options: RemoteLogOptions, context: RunContext): Promise<RemoteLog>
}
