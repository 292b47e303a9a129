import { type FastifyInstance, type FastifyReply, fastify } from "fastify"
import { type ErrorCode, QueryveilError, systemCode } from "../../kernels/error.ts"
import { isLoopback } from "../../kernels/loopback.ts"
import { guards, hostOf, isForeign } from "./own-pages.ts"
import type { PageFile } from "./page-files.ts"
import { tokenCheck } from "./tokens.ts"

/** Answers with an error. The answer never contains text of a request. */
export type Refuse = (reply: FastifyReply, status: number, error: { code: string; message: string }) => FastifyReply

/** How one local server differs from the others. */
export interface LocalFrame {
  /** `own page`: a page of this server's own origin may call it. `programs`: no page of any origin may. */
  callers: "own page" | "programs"
  /** Required on every route that is not open. Absent: no route requires one. */
  token?: string
  /** Routes that need no token. The files of the page need none either. */
  open?: readonly string[]
  /** Routes that a page of another origin may fetch. They reveal nothing about anybody. */
  anyOrigin?: readonly string[]
  /** The page's files, by their paths. */
  page?: ReadonlyMap<string, PageFile>
  /** The answers to a foreign page, and to a caller without the token. */
  refusals: { foreign: string; token?: string }
  /** The form of an error (default: `refuseAs`). */
  refuse?: Refuse
  /** The status of an error with this code (default: 500). */
  statuses?: Partial<Record<ErrorCode, number>>
  /** Bytes of the largest body (default: 64 KiB). */
  bodyLimit?: number
}

/** Answers with an error as `{"message", "code"}`. */
export const refuseAs: Refuse = (reply, status, { code, message }) =>
  reply.code(status).type("application/json").send(JSON.stringify({ message, code }))

const tooLarge = { code: "input-size", message: "The request is too large. Send less." }
const unreadable = { code: "usage", message: "The request cannot be read." }

/**
 * The frame of every server on this machine. It answers only under the machine's own name, because a page of another
 * site could reach it by pointing its own name here. It answers no page of another origin, and it requires the token if
 * there is one. Bodies are JSON. An error never repeats a request. The page's files are open: they are the same for
 * everybody.
 */
export function localApp(frame: LocalFrame): FastifyInstance {
  const { refuse = refuseAs, page = new Map<string, PageFile>() } = frame
  const app = fastify({
    bodyLimit: frame.bodyLimit ?? 1 << 16,
    exposeHeadRoutes: false,
    requestTimeout: 30_000,
    // An unreadable address passes through no hook, and fastify would repeat it in its answer.
    frameworkErrors: (_error, _request, reply) => {
      refuse(reply.headers(guards), 400, unreadable)
    },
  })
  answerErrors(app, { refuse, statuses: frame.statuses ?? {} })
  takeJson(app)
  guardRoutes(app, { ...frame, refuse, open: [...(frame.open ?? []), ...page.keys()] })
  for (const [path, { type, bytes }] of page) app.get(path, (_request, reply) => reply.type(type).send(bytes))
  return app
}

function answerErrors(app: FastifyInstance, { refuse, statuses }: Required<Pick<LocalFrame, "refuse" | "statuses">>) {
  app.setNotFoundHandler((_request, reply) =>
    refuse(reply, 404, { code: "unknown-name", message: "There is nothing at this address." }),
  )
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof QueryveilError) return refuse(reply, statuses[error.code] ?? 500, error)
    const status = error.statusCode ?? 500
    if (status < 500) return refuse(reply, status, status === 413 ? tooLarge : unreadable)
    const message = `Something went wrong inside queryveil (${systemCode(error) ?? error.name}).`
    return refuse(reply, 500, { code: "internal", message })
  })
}

function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, body === "" ? {} : JSON.parse(String(body)))
    } catch {
      done(Object.assign(new Error("no JSON"), { statusCode: 400 }))
    }
  })
}

function guardRoutes(app: FastifyInstance, frame: LocalFrame & { refuse: Refuse; open: readonly string[] }): void {
  const { callers, token, refusals, refuse, anyOrigin = [] } = frame
  const open = new Set(frame.open)
  const knows = token === undefined ? () => true : tokenCheck([token])
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(guards)
    // Checks the route, not the address: one route has many spellings (%61pi, http://host/api).
    const { url = "" } = request.routeOptions
    const { authorization, origin } = request.headers
    const mayCall = anyOrigin.includes(url) || (callers === "programs" ? origin === undefined : !isForeign(request))
    if (!isLoopback(hostOf(request)) || !mayCall) {
      refuse(reply, 403, { code: "origin", message: refusals.foreign })
      return
    }
    if (open.has(url) || knows(authorization)) return done()
    refuse(reply, 403, { code: "token", message: refusals.token ?? "The token is missing or wrong." })
  })
}
