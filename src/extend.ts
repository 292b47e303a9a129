/**
 * What extensions of queryveil are made of: contracts, and functions that register an extension. A module registers when it is
 * imported, by a program or by `queryveil --extend FILE`. Each kind has an example in `examples/` and a section in
 * `docs/extending.md`.
 *
 * @packageDocumentation
 */
import { lazily } from "./kernels/lazily.ts"

export { type Static, type TObject, Type } from "#typebox"
export { type ExtensionAttacks, registerAttack } from "./attacks/attack-registry.ts"
export type { DecidedQueries } from "./engine/decide-queries.ts"
export { openRemoteLog, registerEngine } from "./engine/open-remote-log.ts"
export type { Engine, RemoteDecision, RemoteLog, RemoteRequest } from "./engine/remote-log.ts"
export type { ColumnChoice, ColumnName } from "./log/formats/columns.ts"
export type { Cell, Cells, Converter } from "./log/formats/convert-block.ts"
export { type ExtensionFormats, type Format, registerFormat } from "./log/formats/format-registry.ts"
export { type ExtensionMeasures, registerMeasure } from "./measures/measure-registry.ts"
export type { Method, MethodResult } from "./methods/method.ts"
export type { QueryDecision } from "./methods/query-decision.ts"
export type { AnyProbe, Probe, ProbeSubject, ReleaseProbe, Score, TablesProbe } from "./probes/probe.ts"
export type { ColumnPolicy } from "./release/column-policy.ts"
export type { LogSizes } from "./release/receipt.ts"

// Loaded when it is first called: docs/ARCHITECTURE.md says why.

/**
 * Decides on this machine which queries of a remote log may leave, from its distinct pairs of user and query text, for a
 * method that decides query by query.
 */
export const decideQueries = lazily(() => import("./engine/decide-queries.ts"), "decideQueries")
