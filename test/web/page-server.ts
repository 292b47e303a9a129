import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join, normalize } from "node:path"

/** The strictest policy under which a page can make requests to its own server. */
const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join("; ")
const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
}

interface Reply {
  status: number
  body: unknown
  /** Keeps the answer open, and writes to it. `body` is not sent. */
  stream?: (response: ServerResponse) => void
}

export interface Asked {
  method: string
  path: string
  search: URLSearchParams
  token: string | undefined
  body: string
}

/**
 * Serves a built page under a strict policy. `answer` answers everything else; if it returns nothing, the connection is
 * closed.
 */
export async function servePage(folder: string, answer: (asked: Asked) => Reply | undefined) {
  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams: search } = new URL(request.url ?? "/", "http://here")
    const isPage = path === "/" || path === "/search"
    const file = isPage ? "index.html" : normalize(path).slice(1)
    if (request.method === "GET" && (isPage || path.startsWith("/assets/"))) {
      response.writeHead(200, {
        "content-type": types[extname(file)] ?? "application/octet-stream",
        "content-security-policy": policy,
      })
      response.end(readFileSync(join(folder, file)))
      return
    }
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1]
    const reply = answer({ method: request.method ?? "", path, search, token, body: await read(request) })
    if (reply === undefined) {
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, { "content-type": "application/json" })
    if (reply.stream !== undefined) {
      response.flushHeaders()
      reply.stream(response)
      return
    }
    response.end(JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
