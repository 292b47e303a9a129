import { type FastifyInstance, type FastifyReply, fastify } from "fastify"
import { type ErrorCode, QueryveilError, systemCode } from "../../kernels/error.ts"
import { guards } from "../http/own-pages.ts"

const mostBody = 1 << 16

/** An error as the page reads it: `{"message", "code"}`. Never text of a request. */
export function refuseAs(reply: FastifyReply, status: number, error: { code: string; message: string }): FastifyReply {
  const { code, message } = error
  return reply.code(status).type("application/json").send(JSON.stringify({ message, code }))
}

const statuses: Partial<Record<ErrorCode, number>> = {
  "topics-broken": 409,
  "profile-changed": 409,
  "unknown-name": 404,
  "output-full": 507,
}

/** An app for this machine only that speaks JSON and never repeats a request in an error. */
export function localApp(): FastifyInstance {
  const app = fastify({
    bodyLimit: mostBody,
    exposeHeadRoutes: false,
    requestTimeout: 30_000,
    // An address that cannot be read comes by no hook, and fastify would repeat it.
    frameworkErrors: (_error, _request, reply) => {
      reply.headers(guards)
      refuseAs(reply, 400, { code: "usage", message: "The request cannot be read." })
    },
  })
  app.setNotFoundHandler((_request, reply) =>
    refuseAs(reply, 404, { code: "unknown-name", message: "There is nothing at this address." }),
  )
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof QueryveilError) return refuseAs(reply, statuses[error.code] ?? 500, error)
    const status = error.statusCode ?? 500
    if (status < 500) return refuseAs(reply, status, { code: "usage", message: "The request cannot be read." })
    const message = `Something went wrong inside queryveil (${systemCode(error) ?? error.name}).`
    return refuseAs(reply, 500, { code: "internal", message })
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, body === "" ? {} : JSON.parse(String(body)))
    } catch {
      done(Object.assign(new Error("no JSON"), { statusCode: 400 }))
    }
  })
  return app
}
