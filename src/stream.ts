/**
 * The live stream: records come in, are held until enough users share a topic, and leave with their users swapped.
 *
 * @packageDocumentation
 */
export { type AdminOptions, openAdmin } from "./server/admin/admin-server.ts"
export { type HttpOptions, type HttpServer, httpServer } from "./server/http/http-server.ts"
export { Subscription, type SubscriptionOptions } from "./server/subscription/subscription.ts"
export { batchRecords, type StreamRecord } from "./stream/live/batch-records.ts"
export type { LiveStream, StreamChange } from "./stream/live/live-stream.ts"
export { openLiveStream } from "./stream/live/open-live-stream.ts"
export type { LiveOptions } from "./stream/live/options.ts"
export { startStream } from "./stream/live/start-stream.ts"
export { type ReleasedRecord, tellReleases } from "./stream/live/tell-releases.ts"
export type { InputBatch, StreamOutput } from "./stream/live/transport.ts"
export { serveStream } from "./stream/serve-stream.ts"
export { openStreamAudit } from "./stream/store/audited-releases.ts"
export { openStore } from "./stream/store/open-store.ts"
export { openProfiles } from "./stream/store/profiles.ts"
export { openInput, openOutput } from "./stream/transports/open-place.ts"
