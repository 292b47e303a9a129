import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { LineChoice } from "../../stream/inputs/line-format.ts"
import type { LiveInput } from "../../stream/inputs/live-input.ts"
import { BadBody, RecordPlans } from "../../stream/inputs/record-plans.ts"
import type { RequestIdentity } from "../../stream/live/answered-requests.ts"
import type { LiveStream } from "../../stream/live/live-stream.ts"
import { tokenCheck } from "../frame/tokens.ts"
import { refuse, refusePacked } from "./answers.ts"
import { Collector, NoRoom } from "./collector.ts"
import { elementLines, plainLines } from "./element-lines.ts"
import { keyOf, OtherBody, RepeatedRequests } from "./repeated-requests.ts"

const retryAfter = 5
const byteOrderMark = Buffer.from("\ufeff")

export interface IngestOptions extends LineChoice {
  ingestToken?: string | undefined
  patience?: number
}

/** `POST /records`, `/ubi_queries`, `/ubi_events`: answered when what was sent is durable. */
export class Ingest implements LiveInput {
  readonly #options: IngestOptions
  readonly #records: RecordPlans
  readonly #ubi: RecordPlans
  readonly #mayPost: (authorization: string | undefined) => boolean
  #collector: Collector | undefined
  #repeated: RepeatedRequests | undefined

  constructor(options: IngestOptions) {
    this.#options = options
    this.#records = new RecordPlans(options)
    this.#ubi = new RecordPlans(options, "ubi")
    const { ingestToken } = options
    this.#mayPost = ingestToken === undefined ? () => true : tokenCheck([ingestToken])
  }

  addRoutes(app: FastifyInstance): void {
    const routes = { "/records": this.#records, "/ubi_queries": this.#ubi, "/ubi_events": this.#ubi }
    for (const [path, plans] of Object.entries(routes)) {
      app.post(path, {
        // A sender without permission is refused before the body is read.
        onRequest: (request, reply, done) => {
          if (refusePacked(request, reply) !== undefined) return
          if (this.#mayPost(request.headers.authorization)) return done()
          refuse(reply.header("www-authenticate", "Bearer"), 401, "Send the token: Authorization: Bearer TOKEN.")
        },
        handler: (request, reply) => this.#take(request, reply, plans),
      })
    }
  }

  /** Accepts what is sent until it is stopped. Requests that arrived before that are still answered. */
  async run(stream: LiveStream, signal: AbortSignal): Promise<void> {
    const { patience } = this.#options
    const collector = new Collector(stream, patience === undefined ? {} : { patience })
    this.#collector = collector
    this.#repeated = new RepeatedRequests(stream)
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener("abort", () => resolve(), { once: true })
    })
    this.#collector = undefined
    await collector.idle()
  }

  async #take(request: FastifyRequest, reply: FastifyReply, plans: RecordPlans): Promise<FastifyReply> {
    if (!Buffer.isBuffer(request.body) || request.body.length === 0) return refuse(reply, 400, "The body is empty.")
    const body = request.body.subarray(request.body.subarray(0, 3).equals(byteOrderMark) ? 3 : 0)
    const collector = this.#collector
    if (collector === undefined || this.#repeated === undefined) {
      reply.header("connection", "close")
      return noRoom(reply, "The stream is starting or stopping, and accepts nothing now. Send it again later.")
    }
    // A document over several lines, or an array, does not have one record per line.
    const isLines = request.headers["content-type"]?.startsWith("application/json") !== true
    const lines = isLines ? plainLines(body) : elementLines(body)
    if (lines === undefined) return refuse(reply, 400, "The body is not a complete JSON array or object.")
    if (lines.lines === 0) return reply.send({ taken: 0, withheld: 0, rejected: [], rejectedTotal: 0 })
    const key = keyOf(request)
    if (key === "bad key") return refuse(reply, 400, "An Idempotency-Key has 1 to 255 visible ASCII characters.")
    const take = async (identity?: RequestIdentity) =>
      collector.submit(lines, { plan: plans.planOf(lines.bytes), identity })
    const sender = `${request.headers.authorization ?? ""} ${request.routeOptions.url}`
    try {
      const receipt = key === undefined ? take() : this.#repeated.once({ sender, key, body }, take)
      return reply.send(await receipt)
    } catch (error) {
      if (error instanceof BadBody) return refuse(reply, 400, error.message)
      if (error instanceof OtherBody)
        return refuse(reply, 422, "This Idempotency-Key was sent with another body. Nothing of this body was accepted.")
      if (error instanceof NoRoom)
        return noRoom(reply, "The stream has no room. Nothing of the body was accepted. Send it again later.")
      throw error
    }
  }
}

function noRoom(reply: FastifyReply, message: string): FastifyReply {
  return refuse(reply.header("retry-after", retryAfter), 503, message)
}
