import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { afterAll } from "vitest"

/** What an engine received: everything it could learn. */
export interface Received {
  method: string
  url: string
  headers: IncomingMessage["headers"]
  body: string
}

/** A small server that records its requests and answers as told. It stops when the tests of the file are done. */
export async function fakeEngine(answer: (received: Received, response: ServerResponse) => void) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    const { method = "", url = "", headers } = request
    const one = { method, url, headers, body }
    received.push(one)
    answer(one, response)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, received }
}

export const sendJson = (value: unknown) => (_received: Received, response: ServerResponse) => {
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify(value))
}
