/**
 * What extensions of queryveil are made of: contracts, and functions that register an extension. Each has an example in
 * `examples/` and a section in `docs/extending.md`.
 *
 * @packageDocumentation
 */
export { type DecidedQueries, decideQueries } from "./engine/decide-queries.ts"
export { openRemoteLog, registerEngine } from "./engine/open-remote-log.ts"
export type { Engine, RemoteDecision, RemoteLog, RemoteRequest } from "./engine/remote-log.ts"
export type { LineChoice } from "./stream/inputs/line-format.ts"
export type { LiveInput } from "./stream/inputs/live-input.ts"
export type { InputBatch, InputPosition, StreamOutput, WrittenRecords } from "./stream/live/transport.ts"
export type { InputPositions } from "./stream/store/positions.ts"
export { registerTransport } from "./stream/transports/find-place.ts"
export type { Endpoint, InputContext, OutputContext, Transport } from "./stream/transports/transport.ts"
