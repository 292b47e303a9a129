import { afterEach } from "vitest"
import { type HttpOptions, httpServer } from "#dist/server/http/http-server.js"
import { anyFormat } from "../stream/lines.ts"
import { FakeStream } from "./fake-stream.ts"

/** Servers that take records for a stream that only reads them. They end with the test. */
export function collectorServers() {
  const cleanups: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const clean of cleanups.splice(0)) await clean()
  })

  return async (options: Partial<HttpOptions> = {}) => {
    const stream = new FakeStream()
    const server = httpServer({ ...anyFormat, host: "127.0.0.1", port: 0, takes: true, ...options })
    const address = await server.listen()
    const controller = new AbortController()
    const ended = server.input.run(stream, controller.signal)
    const stop = async () => {
      controller.abort()
      await ended
    }
    cleanups.push(async () => {
      stream.release()
      await stop()
      await server.close()
    })
    return { stream, port: address.kind === "tcp" ? address.port : 0, stop }
  }
}
