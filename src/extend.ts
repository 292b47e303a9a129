/**
 * What extensions of queryveil are made of: contracts, and functions that register an extension. A module registers its
 * extensions when it is imported, by a program or by `queryveil --extend FILE`. Each kind has an example in `examples/`
 * and a section in `docs/extending.md`.
 *
 * @packageDocumentation
 */
import { lazily } from "./kernels/lazily.ts"

export { type Static, type TObject, Type } from "#typebox"
export { type ExtensionAttacks, registerAttack } from "./attacks/attack-registry.ts"
export type { DecidedQueries } from "./engine/decide-queries.ts"
export { openRemoteLog, registerEngine } from "./engine/open-remote-log.ts"
export type {
  Engine,
  RemoteDecision,
  RemoteLog,
  RemoteLogOptions,
  RemoteRequest,
  RemoteTables,
  TablesRequest,
} from "./engine/remote-log.ts"
export type { ColumnChoice, ColumnName } from "./log/formats/columns.ts"
export type { Cell, Cells, Converter } from "./log/formats/convert-block.ts"
export { type ExtensionFormats, type Format, registerFormat } from "./log/formats/format-registry.ts"
export { type ExtensionMeasures, registerMeasure } from "./measures/measure-registry.ts"
export type { Chance, Change, Explanation, ExplanationGraph, Outcome, Verdict } from "./methods/explanation.ts"
export * from "./methods/extension-methods.ts"
export type { TablesGuarantee } from "./methods/guarantee.ts"
export type { Method, MethodResult } from "./methods/method.ts"
export type { NameLifetime } from "./methods/name-lifetime.ts"
export type { QueryDecision } from "./methods/query-decision.ts"
export type { GuaranteeModel, GuaranteeTraits } from "./methods/traits.ts"
export type { AnyProbe, Probe, ProbeSubject, ReleaseProbe, TablesProbe } from "./probes/probe.ts"
export type { Finding, Score } from "./probes/score.ts"
export type { ColumnPolicy } from "./release/column-policy.ts"
export type { LogSizes } from "./release/receipt.ts"
export type { LineChoice } from "./stream/inputs/line-format.ts"
export type { LiveInput } from "./stream/inputs/live-input.ts"
export type { InputBatch, InputPosition, OutputStart, StreamOutput, WrittenRecords } from "./stream/live/transport.ts"
export type { InputPositions } from "./stream/store/positions.ts"
export { registerTransport } from "./stream/transports/find-endpoint.ts"
export type { Endpoint, InputContext, OutputContext, Transport } from "./stream/transports/transport.ts"
export type { IdentifierKind } from "./text/identifiers/kinds.ts"
export { type MethodPromise, registerMethod } from "./verify/register-method.ts"
export type { TablesVerifier, Verifier } from "./verify/verifier.ts"

// Loaded on first call; docs/ARCHITECTURE.md says why.

/**
 * Decides on this machine which queries of a remote log may be released, from its distinct pairs of user and query
 * text, for a method that decides query by query.
 */
export const decideQueries = lazily(() => import("./engine/decide-queries.ts"), "decideQueries")
