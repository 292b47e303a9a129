import { Type, Value } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import type { LiveStream, StreamChange } from "../../stream/live/live-stream.ts"
import { type LocalServer, listenLocally } from "../frame/listen-locally.ts"
import { localApp } from "../frame/local-app.ts"
import { builtPage, readPage } from "../frame/page-files.ts"
import { requireLoopback } from "../frame/require-loopback.ts"
import { refuse } from "../http/answers.ts"
import { metricsText } from "../metrics.ts"

/** Where the operator's page is served, and the token it requires. */
export interface AdminOptions {
  host: string
  port: number
  token: string
  /** Folder of the built page (default: the one in the package). */
  page?: string
}

const paths = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 10_000 })
const change = Type.Object(
  {
    k: Type.Optional(Type.Integer({ minimum: 2 })),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 255 })),
    withhold: Type.Optional(paths),
    reopen: Type.Optional(paths),
  },
  { additionalProperties: false },
)

/**
 * Serves figures, health, settings and the live page to the operator. It answers on this machine only, and only under
 * the machine's own name, because a page of another site could reach it by pointing its own name here. It refuses pages
 * of other origins, and requires the token. The page itself and `/health` need no token: they reveal nothing about the
 * stream but whether it runs.
 */
export async function openAdmin(stream: LiveStream, options: AdminOptions): Promise<LocalServer> {
  const { host, port } = options
  requireLoopback(host, "--admin")
  const page = await readPage(options.page ?? builtPage("stream"))
  const app = localApp({
    callers: "own page",
    token: options.token,
    page,
    open: ["/", "/health"],
    refusals: {
      foreign: "The admin address answers only under a name of this machine, and no page of another origin.",
      token:
        "The token is missing or wrong. Send Authorization: Bearer TOKEN; the token is in the store's admin-token.",
    },
    refuse: (reply, status, { message }) => refuse(reply, status, message),
    bodyLimit: 1 << 20,
  })
  if (!page.has("/")) app.get("/", (_request, reply) => refuse(reply, 404, "The page was not built with this package."))
  app.get("/metrics", (_request, reply) => {
    return reply.type("text/plain; version=0.0.4; charset=utf-8").send(metricsText(stream.figures()))
  })
  app.get("/figures", (_request, reply) => reply.send(stream.figures()))
  app.get("/health", (_request, reply) => {
    const { state, checkpoint } = stream
    const isWell = !["full", "blocked", "stopped"].includes(state) && !checkpoint.isStalled
    return reply.code(isWell ? 200 : 503).send({ state, checkpoint: checkpoint.isStalled ? "no room" : "ok" })
  })
  app.put("/config", async (request, reply) => {
    const wanted = request.body
    if (!isChange(wanted)) return refuse(reply, 400, "Give a JSON object with k, depth, withhold or reopen.")
    try {
      await stream.configure(wanted)
    } catch (error) {
      if (error instanceof QueryveilError) return refuse(reply, 400, error.message)
      throw error
    }
    const { k, depth } = stream.figures()
    return { k, depth }
  })
  return listenLocally(app, { host, port })
}

const isChange = (value: unknown): value is StreamChange => Value.Check(change, value) && Object.keys(value).length > 0
