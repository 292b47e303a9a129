import { fastify } from "fastify"
import { isLoopback, listenError, type SocketAddress } from "../../stream/address.ts"
import type { LineChoice } from "../../stream/inputs/line-format.ts"
import type { LiveInput } from "../../stream/inputs/live-input.ts"
import { portOf } from "../frame/listen-locally.ts"
import type { Subscription } from "../subscription/subscription.ts"
import { frameworkErrors, speakPlainly } from "./answers.ts"
import { takeBodies } from "./body-budget.ts"
import { Ingest } from "./ingest.ts"
import { allowOrigins } from "./origins.ts"
import { addProfiles, addSubscription } from "./subscription-route.ts"

/** Where records are taken over HTTP, and from whom. */
export interface HttpOptions extends LineChoice {
  host: string
  port: number
  /** Bytes of the largest body. */
  maxBody?: number
  /** Origins of the pages that may send. */
  origins?: readonly string[]
  /** Whoever sends must know it. */
  ingestToken?: string | undefined
  /** Milliseconds that a request may wait for room. */
  patience?: number
  /** Whether records are taken, and releases given out. */
  takes: boolean
  subscription?: Subscription
  /** One of them must be known by those who subscribe; none: everybody on this machine may. */
  subscribeTokens?: readonly string[]
  /** File of the profiles that were published last, which subscribers may read. */
  profiles?: string
}

/** The endpoint for records and subscribers, once it is set up. */
export interface HttpServer {
  /** Resolves with the port that was given. */
  listen(): Promise<SocketAddress>
  /** What is sent, as an input. */
  input: LiveInput
  /** Takes no more; resolves when all connections have ended. */
  close(): Promise<void>
}

/** The endpoint for those who send records and those who subscribe to releases. */
export function httpServer(options: HttpOptions): HttpServer {
  const { host, port, maxBody = 16 << 20, origins = [] } = options
  const app = fastify({
    bodyLimit: maxBody,
    frameworkErrors,
    exposeHeadRoutes: false,
    requestTimeout: 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
  })
  speakPlainly(app)
  takeBodies(app, { types: bodyTypes, most: maxBody, total: Math.max(bodyMemory, 4 * maxBody) })
  const ingest = new Ingest(options)
  if (options.takes) {
    allowOrigins(app, origins)
    ingest.addRoutes(app)
  }
  if (options.subscription !== undefined) {
    const { subscription, subscribeTokens = [] } = options
    addSubscription(app, subscription, { tokens: subscribeTokens, isLocal: isLoopback(host) })
  }
  if (options.profiles !== undefined)
    addProfiles(app, options.profiles, { tokens: options.subscribeTokens ?? [], isLocal: isLoopback(host) })
  return {
    input: ingest,
    async listen() {
      try {
        await app.listen({ host, port })
      } catch (error) {
        throw listenError({ kind: "tcp", host, port }, error)
      }
      return { kind: "tcp", host, port: portOf(app) }
    },
    async close() {
      app.server.closeAllConnections()
      await app.close()
    },
  }
}

/** Bodies stay the bytes that they are; the stream parses them. */
const bodyTypes = ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/json"]
/** Bytes of all bodies that are in memory at once. */
const bodyMemory = 128 << 20
