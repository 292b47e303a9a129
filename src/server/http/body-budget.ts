import type { FastifyInstance, FastifyRequest } from "fastify"

/** An error that fastify answers with its status. */
class BodyRefused extends Error {
  readonly statusCode: number
  constructor(statusCode: number) {
    super("The body was refused.")
    this.statusCode = statusCode
  }
}

/** The memory of a request's body, until who handles the request has used it. */
export interface Bodies {
  /** Runs what uses the body of a request. Afterwards the body is forgotten, whether or not its sender waits. */
  whileUsed<T>(request: FastifyRequest, use: () => Promise<T>): Promise<T>
}

interface Held {
  bytes: number
  isUsed: boolean
}

/**
 * Reads bodies of these types as bytes. There is one limit for each body and one for all bodies in memory together:
 * those being read and those being used. A body over its own limit is answered with 413, a body for which there is no
 * room with 503.
 */
export function takeBodies(
  app: FastifyInstance,
  { types, most, total }: { types: string[]; most: number; total: number },
): Bodies {
  const held = new WeakMap<FastifyRequest, Held>()
  let inMemory = 0
  const letGo = (request: FastifyRequest) => {
    inMemory -= held.get(request)?.bytes ?? 0
    held.delete(request)
  }
  app.addHook("onRequest", (request, reply, done) => {
    // The only event that comes whatever the sender does. What is still used is let go when it has been.
    reply.raw.once("close", () => {
      if (held.get(request)?.isUsed !== true) letGo(request)
    })
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(types, async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const announced = Number(request.headers["content-length"] ?? 0)
    if (announced > most) throw new BodyRefused(413)
    if (inMemory + announced > total) throw new BodyRefused(503)
    const own: Held = { bytes: 0, isUsed: false }
    held.set(request, own)
    // One buffer, because a sender may cut a body into chunks of one byte, and each would cost hundreds.
    // It is as large as announced, but a sender who announces much and sends little gets no more than `firstBytes`.
    let body = Buffer.allocUnsafe(Math.min(most, firstBytes, announced || firstBytes))
    try {
      for await (const chunk of payload) {
        const length = own.bytes + chunk.length
        if (length > most) throw new BodyRefused(413)
        if (inMemory + chunk.length > total) throw new BodyRefused(503)
        if (length > body.length) body = Buffer.concat([body], Math.min(most, Math.max(length, body.length * 2)))
        chunk.copy(body, own.bytes)
        own.bytes = length
        inMemory += chunk.length
      }
    } catch (error) {
      letGo(request)
      throw error
    }
    return body.subarray(0, own.bytes)
  })
  return {
    async whileUsed(request, use) {
      const own = held.get(request)
      if (own !== undefined) own.isUsed = true
      try {
        return await use()
      } finally {
        request.body = undefined
        letGo(request)
      }
    },
  }
}

const firstBytes = 1 << 16
