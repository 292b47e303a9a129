import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { QueryveilError, systemCode } from "../../kernels/error.ts"

/** Answers with an error as JSON: `{"error": {"code", "message"}}`. It never contains text of a request. */
export function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .type("application/json")
    .send(JSON.stringify({ error: { code: status, message } }))
}

const messages: Record<number, string> = {
  400: "The request cannot be read.",
  404: "There is nothing at this address.",
  405: "This address does not take this method.",
  413: "The body is larger than --max-body. Send it in parts.",
  414: "The address is too long.",
  503: "Too many bodies are being sent at once. Nothing of this one was accepted. Send it again later.",
  415: "Send application/x-ndjson or application/json, in UTF-8 and not compressed.",
}

/**
 * Replaces everything that fastify would answer with fixed messages, so that nothing of a request comes back in an
 * error.
 */
export function answerErrorsPlainly(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, messages[404] ?? ""))
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500
    if (status === 503) reply.header("retry-after", 5).header("connection", "close")
    if (status < 500 || status === 503) return refuse(reply, status, messages[status] ?? "The request was refused.")
    const known = error instanceof QueryveilError
    const what = known ? error.message : `Something went wrong inside queryveil (${systemCode(error) ?? error.name}).`
    return refuse(reply, 500, what)
  })
}

/** The same for an unreadable address, which fastify answers before any handler. Pass it to `fastify`. */
export const frameworkErrors = (_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
  refuse(reply, 400, messages[400] ?? "")
}

/** Answers a packed body with 415: it would have to be unpacked before its size is known. */
export function refusePacked(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const encoding = request.headers["content-encoding"]
  if (encoding === undefined || encoding === "identity") return undefined
  return refuse(reply, 415, "Compressed bodies are not accepted. Send the body as it is.")
}
