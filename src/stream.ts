/**
 * The live stream: records come in, wait until enough users share a topic, and leave with their users swapped.
 *
 * @packageDocumentation
 */
import { lazily } from "./kernels/lazily.ts"
import type { HttpOptions, HttpServer } from "./server/http/http-server.ts"

export type { AppendOptions } from "./files/append-file.ts"
export type { FormatName } from "./log/formats/format-registry.ts"
export type { AdminOptions } from "./server/admin/admin-server.ts"
export type { HttpOptions, HttpServer } from "./server/http/http-server.ts"
export { Subscription, type SubscriptionOptions } from "./server/subscription/subscription.ts"
export type { SocketAddress } from "./stream/address.ts"
export type { LineChoice } from "./stream/inputs/line-format.ts"
export type { LateRecords } from "./stream/live/arrival-order.ts"
export { batchRecords, type StreamRecord } from "./stream/live/batch-records.ts"
export type { LiveStream, Offer, StreamChange } from "./stream/live/live-stream.ts"
export type { LiveOptions } from "./stream/live/options.ts"
export type {
  InputLag,
  LargestCategory,
  Quantiles,
  RiskFigures,
  RunQuantiles,
  StreamFigures,
} from "./stream/live/stream-figures.ts"
export type { BatchReceipt, InputBatch, OutputStart, RequestReceipt, StreamOutput } from "./stream/live/transport.ts"
export { callbackOutput, type ReleasedRecord } from "./stream/outputs/callback-output.ts"
export type { AuditedRecord, AuditedRelease, StreamAudit } from "./stream/store/audited-releases.ts"
export type { Profiles, TopicCount, UserProfile } from "./stream/store/profiles.ts"
export type { OutputPosition } from "./stream/store/store.ts"

export { openInput, openOutput } from "./stream/transports/open-endpoint.ts"

// The functions below are loaded on first call; docs/ARCHITECTURE.md says why.

/** Opens a stream in a folder, or continues the one that is there. Options are completed and checked. */
export const startStream = lazily(() => import("./stream/live/start-stream.ts"), "startStream")

/** Feeds a stream from its inputs until they end or the signal stops them, then drains it. */
export const serveStream = lazily(() => import("./stream/serve-stream.ts"), "serveStream")

/** Opens the local page and interface for an operator. */
export const openAdmin = lazily(() => import("./server/admin/admin-server.ts"), "openAdmin")

/** Opens a collector over HTTP: an input of a stream, and its readers' subscriptions. */
export async function openHttp(options: HttpOptions): Promise<HttpServer> {
  const { httpServer } = await import("./server/http/http-server.ts")
  return httpServer(options)
}

/** Opens the audit of a stream: what it released, and whose searches those were. Private. */
export const openStreamAudit = lazily(() => import("./stream/store/audited-releases.ts"), "openStreamAudit")

/** Opens the profiles of a stream's store: what was shown under each user. Private. */
export const openProfiles = lazily(() => import("./stream/store/profiles.ts"), "openProfiles")
