import { readFile } from "node:fs/promises"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { isLoopback } from "../../kernels/loopback.ts"
import { hostOf, isForeign } from "../frame/own-pages.ts"
import { tokenCheck } from "../frame/tokens.ts"
import type { Subscription } from "../subscription/subscription.ts"
import { refuse } from "./answers.ts"

/** Each reader takes two buffers of 64 KiB and what the system keeps for its socket. */
const mostReaders = 256

/**
 * `GET /stream?after=SEQ`: the releases after that number as NDJSON, and later ones as they come. Without a token it
 * answers only on this machine, and only under its own name, so that no page can reach it through a name of its own.
 */
export function addSubscription(
  app: FastifyInstance,
  subscription: Subscription,
  { tokens, isLocal }: { tokens: readonly string[]; isLocal: boolean },
): void {
  const mayRead = readerCheck({ tokens, isLocal })
  app.get<{ Querystring: Record<string, unknown> }>("/stream", async (request, reply) => {
    if (!mayRead(request)) return refuse(reply, 403, needsToken)
    const { newest } = subscription
    if (newest === undefined)
      return refuse(reply.header("retry-after", 1), 503, "The stream is starting. Try again in a second.")
    if (subscription.readers >= mostReaders)
      return refuse(
        reply.header("retry-after", 10),
        503,
        `${mostReaders} subscribers are connected, which is the limit. Try again later.`,
      )
    const { after } = request.query
    if (after !== undefined && !/^(-1|\d{1,15})$/.test(String(after)))
      return refuse(reply, 400, "after must be the number of the last release that was read.")
    const number = after === undefined ? undefined : Number(after)
    if (number !== undefined && number > newest) {
      const message = `There is no release ${number} yet. The newest is ${newest}.`
      return reply.code(416).send({ error: { code: 416, message }, newest })
    }
    if (number !== undefined && !subscription.keeps(number)) {
      const message = `Releases after ${number} are no longer kept. The first one kept is ${subscription.first}.`
      return reply.code(410).send({ error: { code: 410, message }, first: subscription.first })
    }
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      "content-type": "application/x-ndjson",
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    })
    raw.flushHeaders()
    try {
      await subscription.send(raw, number)
      raw.end()
    } catch {
      raw.destroy() // the reader sees that the stream broke off, and reconnects
    }
    return reply
  })
}

const needsToken = "Send the subscriber's token: Authorization: Bearer TOKEN."

/**
 * Who may read the releases: every caller that knows a token; if none is required, callers on this machine under its
 * own name.
 */
function readerCheck({ tokens, isLocal }: { tokens: readonly string[]; isLocal: boolean }) {
  const knows = tokenCheck(tokens)
  return (request: FastifyRequest) =>
    request.headers.origin === undefined &&
    !isForeign(request) &&
    (knows(request.headers.authorization) || (tokens.length === 0 && isLocal && isLoopback(hostOf(request))))
}

/** `GET /profiles`: the profiles that were published last, as JSON. For those who may subscribe. */
export function addProfiles(
  app: FastifyInstance,
  path: string,
  { tokens, isLocal }: { tokens: readonly string[]; isLocal: boolean },
): void {
  const mayRead = readerCheck({ tokens, isLocal })
  app.get("/profiles", async (request, reply) => {
    if (!mayRead(request)) return refuse(reply, 403, needsToken)
    const text = await readFile(path).catch(() => undefined)
    if (text === undefined) return refuse(reply, 404, "No profiles have been published yet.")
    reply.header("cache-control", "no-store").header("cross-origin-resource-policy", "same-origin")
    return reply.type("application/json").send(text)
  })
}
