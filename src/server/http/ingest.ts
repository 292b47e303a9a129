import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { LineChoice } from "../../stream/inputs/line-format.ts"
import type { LiveInput } from "../../stream/inputs/live-input.ts"
import { BadBody, RecordPlans } from "../../stream/inputs/record-plans.ts"
import type { RequestIdentity } from "../../stream/live/answered-requests.ts"
import type { LiveStream } from "../../stream/live/live-stream.ts"
import type { RequestReceipt } from "../../stream/live/transport.ts"
import { tokenCheck } from "../frame/tokens.ts"
import { refuse, refusePacked } from "./answers.ts"
import type { Bodies } from "./body-budget.ts"
import { bulkAnswer, readBulk } from "./bulk-body.ts"
import { Collector, NoRoom } from "./collector.ts"
import { elementLines, type Lines, plainLines } from "./element-lines.ts"
import { keyOf, OtherBody, RepeatedRequests } from "./repeated-requests.ts"

const retryAfter = 5
const byteOrderMark = Buffer.from("\ufeff")

export interface IngestOptions extends LineChoice {
  ingestToken?: string | undefined
  patience?: number
}

/**
 * `POST /records`, `/ubi_queries`, `/ubi_events`, and `_bulk` and `_doc` of the last two: answered when what was sent
 * is durable.
 */
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

  addRoutes(app: FastifyInstance, bodies: Bodies): void {
    const add = (url: string, methods: string[], handler: (sent: Sent) => Promise<FastifyReply>) =>
      app.route({
        url,
        method: methods,
        // A sender without permission is refused before the body is read.
        onRequest: (request, reply, done) => {
          if (refusePacked(request, reply) !== undefined) return
          if (this.#mayPost(request.headers.authorization)) return done()
          refuse(reply.header("www-authenticate", "Bearer"), 401, "Send the token: Authorization: Bearer TOKEN.")
        },
        handler: (request, reply) => bodies.whileUsed(request, () => this.#receive(request, reply, handler)),
      })
    add("/records", ["POST"], (sent) => this.#takeRecords(sent, this.#records))
    add("/_bulk", ["POST", "PUT"], (sent) => this.#takeBulk(sent))
    for (const index of ["ubi_queries", "ubi_events"]) {
      add(`/${index}`, ["POST"], (sent) => this.#takeRecords(sent, this.#ubi))
      add(`/${index}/_bulk`, ["POST", "PUT"], (sent) => this.#takeBulk(sent, index))
      add(`/${index}/_doc`, ["POST"], (sent) => this.#takeDocument(sent, index))
      add(`/${index}/_doc/:id`, ["POST", "PUT"], (sent) => this.#takeDocument(sent, index))
      add(`/${index}/_create/:id`, ["POST", "PUT"], (sent) => this.#takeDocument(sent, index))
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

  async #receive(
    request: FastifyRequest,
    reply: FastifyReply,
    handler: (sent: Sent) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    if (!Buffer.isBuffer(request.body) || request.body.length === 0) return refuse(reply, 400, "The body is empty.")
    const body = request.body.subarray(request.body.subarray(0, 3).equals(byteOrderMark) ? 3 : 0)
    if (this.#collector === undefined) {
      reply.header("connection", "close")
      return noRoom(reply, "The stream is starting or stopping, and accepts nothing now. Send it again later.")
    }
    try {
      return await handler({ request, reply, body })
    } catch (error) {
      if (error instanceof BadBody) return refuse(reply, 400, error.message)
      if (error instanceof OtherBody)
        return refuse(reply, 422, "This Idempotency-Key was sent with another body. Nothing of this body was accepted.")
      if (error instanceof NoRoom)
        return noRoom(reply, "The stream has no room. Nothing of the body was accepted. Send it again later.")
      throw error
    }
  }

  async #takeRecords(sent: Sent, plans: RecordPlans): Promise<FastifyReply> {
    const { request, reply, body } = sent
    // A document over several lines, or an array, does not have one record per line.
    const isLines = !isJson(request)
    const lines = isLines ? plainLines(body) : elementLines(body)
    if (lines === undefined) throw new BadBody("The body is not a complete JSON array or object.")
    return reply.send(await this.#accept(sent, lines, plans))
  }

  async #takeBulk(sent: Sent, index?: string): Promise<FastifyReply> {
    const bulk = readBulk(sent.body, index)
    if (bulk === undefined) throw new BadBody("The body is not lines of an action and a document, as _bulk takes them.")
    return sent.reply.send(bulkAnswer(bulk, await this.#accept(sent, bulk.lines, this.#ubi)))
  }

  async #takeDocument(sent: Sent, index: string): Promise<FastifyReply> {
    const { reply, body } = sent
    const lines = elementLines(body)
    if (lines?.lines !== 1) throw new BadBody("The body is not one JSON object.")
    const { rejected } = await this.#accept(sent, lines, this.#ubi)
    const [refused] = rejected
    if (refused !== undefined) throw new BadBody(`The document cannot be read (${refused.reason}).`)
    return reply.code(201).send({ _index: index, result: "created" })
  }

  /** Hands lines to the stream. Resolves when they are durable. */
  async #accept({ request, body }: Sent, lines: Lines, plans: RecordPlans): Promise<RequestReceipt> {
    const collector = this.#collector
    if (lines.lines === 0) return { taken: 0, withheld: 0, rejected: [], rejectedTotal: 0 }
    if (collector === undefined || this.#repeated === undefined) throw new NoRoom()
    const key = keyOf(request)
    if (key === "bad key") throw new BadBody("An Idempotency-Key has 1 to 255 visible ASCII characters.")
    const take = async (identity?: RequestIdentity) =>
      collector.submit(lines, { plan: plans.planOf(lines.bytes), identity })
    const sender = `${request.headers.authorization ?? ""} ${request.routeOptions.url}`
    return key === undefined ? take() : this.#repeated.once({ sender, key, body }, take)
  }
}

/** A request with a body, and where its answer goes. */
interface Sent {
  request: FastifyRequest
  reply: FastifyReply
  body: Buffer
}

const isJson = ({ headers }: FastifyRequest) =>
  /^application\/(vnd\.[a-z]+\+)?json\b/.test(headers["content-type"] ?? "")

function noRoom(reply: FastifyReply, message: string): FastifyReply {
  return refuse(reply.header("retry-after", retryAfter), 503, message)
}
