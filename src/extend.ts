/**
 * What extensions of queryveil are made of: contracts, and functions that register an extension. Each has an example in
 * `examples/` and a section in `docs/extending.md`.
 *
 * @packageDocumentation
 */
export { Type } from "#typebox"
export { type DecidedQueries, decideQueries } from "./engine/decide-queries.ts"
export { openRemoteLog, registerEngine } from "./engine/open-remote-log.ts"
export type { Engine, RemoteDecision, RemoteLog, RemoteRequest } from "./engine/remote-log.ts"
export type { LineChoice } from "./stream/inputs/line-format.ts"
export type { LiveInput } from "./stream/inputs/live-input.ts"
export type { InputBatch, InputPosition, StreamOutput, WrittenRecords } from "./stream/live/transport.ts"
export type { InputPositions } from "./stream/store/positions.ts"
export { registerTransport } from "./stream/transports/find-place.ts"
export type { Endpoint, InputContext, OutputContext, Transport } from "./stream/transports/transport.ts"
export * from "./methods/extension-methods.ts"
export type { TablesGuarantee } from "./methods/guarantee.ts"
export type { NameLifetime } from "./methods/name-lifetime.ts"
export type { GuaranteeModel, GuaranteeTraits } from "./methods/traits.ts"
export type { IdentifierKind } from "./text/identifiers/kinds.ts"
export { type MethodPromise, registerMethod } from "./verify/register-method.ts"
export type { TablesVerifier } from "./verify/verifier.ts"
