import type { FastifyInstance, FastifyRequest } from "fastify"

/** An error that fastify answers with its status. */
class BodyRefused extends Error {
  readonly statusCode: number
  constructor(statusCode: number) {
    super("The body was refused.")
    this.statusCode = statusCode
  }
}

/**
 * Reads bodies of these types as bytes. There is one limit for each body and one for all bodies in memory together:
 * those being read and those not answered yet. A body over its own limit is answered with 413, a body for which there
 * is no room with 503.
 */
export function takeBodies(
  app: FastifyInstance,
  { types, most, total }: { types: string[]; most: number; total: number },
): void {
  const held = new WeakMap<FastifyRequest, number>()
  let inMemory = 0
  const hold = (request: FastifyRequest, bytes: number) => {
    held.set(request, (held.get(request) ?? 0) + bytes)
    inMemory += bytes
  }
  const letGo = (request: FastifyRequest) => {
    inMemory -= held.get(request) ?? 0
    held.delete(request)
  }
  app.addHook("onResponse", (request, _reply, done) => {
    letGo(request)
    done()
  })
  app.addHook("onRequestAbort", (request, done) => {
    letGo(request)
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(types, async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const announced = Number(request.headers["content-length"] ?? 0)
    if (announced > most) throw new BodyRefused(413)
    if (inMemory + announced > total) throw new BodyRefused(503)
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of payload) {
      length += chunk.length
      if (length > most) throw new BodyRefused(413)
      if (inMemory + chunk.length > total) throw new BodyRefused(503)
      hold(request, chunk.length)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, length)
  })
}
