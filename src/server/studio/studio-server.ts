import type { FastifyInstance } from "fastify"
import { Type, Value } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import type { Project } from "../../project/open-project.ts"
import { type LocalServer, listenLocally } from "../frame/listen-locally.ts"
import { localApp } from "../frame/local-app.ts"
import { OneTimeCode } from "../frame/one-time-code.ts"
import { builtPage, readPage } from "../frame/page-files.ts"
import { describeApi } from "./open-api.ts"
import { addStudioRoutes } from "./routes.ts"
import { StudioDesk } from "./studio-desk.ts"

/** Where the studio is served, and the token it requires. */
export interface StudioServerOptions {
  host?: string
  port: number
  token: string
  /** True if the project is the one that `--demo` makes. */
  demo?: boolean
  /** Folder of the built page (default: the one in the package). */
  page?: string
  now?: () => number
  /** Receives messages for the owner. */
  warn?: (text: string) => void
}

/** A studio that runs. */
export interface StudioServer extends LocalServer {
  /** Opens the page once, within a minute: `/#code=…`. */
  code: string
  /** Resolves when the project was deleted from the page. */
  removed: Promise<void>
}

const placeholder = `<!doctype html><html lang="en"><meta charset="utf-8"><title>queryveil studio</title>
<p>The page was not built with this package. The API answers: see docs/studio.md.</p></html>
`

/** A line every so often keeps a connection through a tunnel alive, and shows that the server is there. */
const heartbeat = 15_000

/**
 * Serves the page and the API of one project on this machine. It answers only under the machine's own name and to no
 * page of another origin. Everything about the project requires the token. The page's files and the description of the
 * API are open: they are the same for everybody.
 */
export async function openStudio(project: Project, options: StudioServerOptions): Promise<StudioServer> {
  const { host = "127.0.0.1", port, token, demo = false, now = Date.now } = options
  const files = await readPage(options.page ?? builtPage("studio"))
  const page = files.get("/") ?? { type: "text/html; charset=utf-8", bytes: Buffer.from(placeholder) }
  const app = localApp({
    callers: "own page",
    token,
    page: new Map([...files, ["/", page]]),
    open: ["/api", "/api/token"],
    refusals: {
      foreign: "This address answers to its own page only.",
      token: "The token is missing or wrong. Open the address that queryveil printed when it started.",
    },
    statuses,
    bodyLimit: 4 << 20,
  })
  let onRemoved = () => {}
  const removed = new Promise<void>((resolve) => {
    onRemoved = resolve
  })
  const desk = new StudioDesk(project, { demo, now, onRemoved: () => onRemoved() })
  await desk.open()
  const description = describeApi()
  app.get("/api", async () => description)
  const opening = new OneTimeCode({ now, onRepeated: () => options.warn?.(codeRepeated) })
  app.post("/api/token", async ({ body }) => {
    if (Value.Check(codeSchema, body) && opening.take(body.code)) return { token }
    throw new QueryveilError("usage", "This code was used, or is too old. Open the address with the token.")
  })
  addStudioRoutes(app, desk)
  addEvents(app, desk)
  const server = await listenLocally(app, { host, port })
  return {
    address: server.address,
    code: opening.code,
    removed,
    async close() {
      await server.close()
      await desk.close()
    },
  }
}

const codeRepeated = [
  "The code that opens the page was used twice. If you did not open the page twice, somebody else on this machine may",
  "have opened this project. Stop the studio, and start it with --no-open.",
].join(" ")

const codeSchema = Type.Object({ code: Type.String({ maxLength: 100 }) }, { additionalProperties: false })

const statuses = {
  usage: 400,
  "option-value": 400,
  "option-unknown": 400,
  "unknown-name": 404,
  "input-missing": 404,
  "input-unreadable": 400,
  "input-empty": 400,
  "input-columns": 400,
  "input-encoding": 400,
  "input-gzip": 400,
  "input-rows": 400,
  "output-exists": 409,
  "output-full": 507,
  "project-changed": 409,
  "project-busy": 409,
  "not-signed": 409,
  "release-broken": 409,
  "release-missing": 404,
  "ledger-broken": 409,
  "ledger-busy": 409,
  "budget-spent": 409,
} as const

/** Streams events, one JSON object a line. `EventSource` cannot send the token, so the page reads a `fetch`. */
function addEvents(app: FastifyInstance, desk: StudioDesk): void {
  app.get("/api/events", (request, reply) => {
    reply.hijack()
    const { raw } = reply
    const headers = Object.entries(reply.getHeaders())
    for (const [name, value] of headers) if (value !== undefined) raw.setHeader(name, value)
    raw.writeHead(200, { "content-type": "application/x-ndjson" })
    const send = (value: object) => raw.write(`${JSON.stringify(value)}\n`)
    send({ changed: "state" })
    const stop = desk.listen(send)
    const beat = setInterval(() => raw.write("\n"), heartbeat)
    const end = () => {
      stop()
      clearInterval(beat)
    }
    request.raw.on("close", end)
    raw.on("error", end)
  })
}
