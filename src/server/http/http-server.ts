import { fastify } from "fastify"
import { isLoopback } from "../../kernels/loopback.ts"
import { listenError, type SocketAddress } from "../../stream/address.ts"
import type { LineChoice } from "../../stream/inputs/line-format.ts"
import type { LiveInput } from "../../stream/inputs/live-input.ts"
import { portOf } from "../frame/listen-locally.ts"
import type { Subscription } from "../subscription/subscription.ts"
import { answerErrorsPlainly, frameworkErrors } from "./answers.ts"
import { takeBodies } from "./body-budget.ts"
import { Ingest } from "./ingest.ts"
import { allowOrigins } from "./origins.ts"
import { addProfiles, addSubscription } from "./subscription-route.ts"

/** Where records are accepted over HTTP, and from which senders. */
export interface HttpOptions extends LineChoice {
  host: string
  port: number
  /** Bytes of the largest body. */
  maxBody?: number
  /** Origins of the pages that may send. */
  origins?: readonly string[]
  /** The token that senders must know. */
  ingestToken?: string | undefined
  /** Milliseconds that a request may wait for room. */
  patience?: number
  /** Whether records are accepted, and the releases that are served. */
  takes: boolean
  subscription?: Subscription
  /** Subscribers must know one of these tokens. If there are none, everybody on this machine may subscribe. */
  subscribeTokens?: readonly string[]
  /** File of the profiles that were published last, which subscribers may read. */
  profiles?: string
}

/** The endpoint for records and subscribers. */
export interface HttpServer {
  /** Resolves with the actual port. */
  listen(): Promise<SocketAddress>
  /** The sent records, as an input. */
  input: LiveInput
  /** Accepts no more requests. Resolves when all connections have ended. */
  close(): Promise<void>
}

/** Creates the endpoint for senders of records and for subscribers to releases. */
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
  answerErrorsPlainly(app)
  // A sender that does not read a large answer holds it in memory.
  app.addHook("onSend", (request, _reply, payload, done) => {
    if (String(payload ?? "").length > smallAnswer) request.raw.socket.setTimeout(answerPatience)
    done()
  })
  const bodies = takeBodies(app, { types: bodyTypes, most: maxBody, total: Math.max(bodyMemory, 4 * maxBody) })
  const ingest = new Ingest(options)
  if (options.takes) {
    allowOrigins(app, origins)
    ingest.addRoutes(app, bodies)
  }
  // Before anything of its body is read. Pages that ask whether they may send were answered above.
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) reply.callNotFound()
    else done()
  })
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

/** Bodies of these types are kept as bytes; the stream parses them. */
const bodyTypes = [
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/json",
  "application/vnd.elasticsearch+x-ndjson",
  "application/vnd.elasticsearch+json",
]
/** An answer of at most this many characters waits in the system's buffers. */
const smallAnswer = 1 << 16
/** Milliseconds after which a connection is closed that takes nothing of its answer. */
const answerPatience = 60_000
/** Maximum bytes of all bodies in memory at once. */
const bodyMemory = 128 << 20
