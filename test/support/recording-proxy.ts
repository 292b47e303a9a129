import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { afterAll } from "vitest"

/** A request as it went over the wire. */
export interface WireRequest {
  /** Method and path: `POST /pages/_search`. */
  line: string
  /** In lower case, sorted by name. */
  headers: Record<string, string>
  body: string
}

/** Passes connections on to a port of this machine, and records every byte that goes there. */
export async function recordingProxy(port: number) {
  const recorded: Buffer[][] = []
  const sockets = new Set<Socket>()
  const server = createServer((from) => {
    const chunks: Buffer[] = []
    recorded.push(chunks)
    const to = connect(port, "127.0.0.1")
    for (const socket of [from, to]) {
      sockets.add(socket)
      socket.on("error", () => {})
    }
    from.on("data", (chunk) => chunks.push(chunk))
    from.pipe(to).pipe(from)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    /** Everything that was sent since the last call, request by request. */
    take: () => recorded.flatMap((chunks) => readRequests(Buffer.concat(chunks.splice(0)).toString("utf8"))),
  }
}

/** Cuts the bytes of a connection into requests. Throws at anything that is not part of one. */
function readRequests(text: string): WireRequest[] {
  const requests: WireRequest[] = []
  for (let rest = text; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n")
    if (end < 0) throw new Error("these bytes are not a request")
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n")
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    )
    const length = Number(headers["content-length"] ?? 0)
    const bytes = Buffer.from(rest.slice(end + 4))
    requests.push({
      line: first.replace(/ HTTP\/1\.1$/, ""),
      headers,
      body: bytes.subarray(0, length).toString("utf8"),
    })
    rest = bytes.subarray(length).toString("utf8")
  }
  return requests
}
