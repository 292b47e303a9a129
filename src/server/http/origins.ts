import type { FastifyInstance } from "fastify"
import { QueryveilError } from "../../kernels/error.ts"
import { refuse } from "./answers.ts"

/** The origin of a page: scheme, host and port, and nothing else. */
export function parseOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : "null"
  if (origin !== "null" && /^https?:/.test(origin)) return origin
  throw new QueryveilError(
    "option-value",
    `--allow-origin ${text}: not an origin. Give scheme and host, for example https://shop.example.`,
    { flag: "--allow-origin" },
  )
}

/**
 * Lets pages of these origins send (CORS). Requests from a page of any other origin are refused, with or without a
 * preflight request.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const allowed = new Set(origins)
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined) return done()
    if (!allowed.has(origin)) {
      refuse(reply, 403, "Pages of this origin may not send. The operator can allow the origin with --allow-origin.")
      return
    }
    reply.header("access-control-allow-origin", origin).header("vary", "origin")
    if (request.method !== "OPTIONS") return done()
    reply
      .header("access-control-allow-methods", "POST")
      .header("access-control-allow-headers", "content-type, authorization, idempotency-key")
      .header("access-control-max-age", "600")
      .code(204)
      .send()
  })
}
