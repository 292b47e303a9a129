import { connect, type Socket } from "node:net"

export interface LoadOptions {
  port: number
  path: string
  /** Request bodies, sent in turn. */
  bodies: readonly Uint8Array[]
  /**
   * The number of requests in all, and of simultaneous connections. Each connection sends its next request when the
   * last is answered.
   */
  requests: number
  connections: number
}

export interface LoadFinding {
  requests: number
  /** The number of answers other than 200. */
  refused: number
  seconds: number
  /** Milliseconds from the first byte sent to the last byte of the answer. */
  p50: number
  p99: number
}

/**
 * Sends requests over plain sockets. The client parses as little as it can, since it shares the cores with the server.
 */
export async function loadHttp({ port, path, bodies, requests, connections }: LoadOptions): Promise<LoadFinding> {
  const head = (length: number) =>
    [
      `POST ${path} HTTP/1.1`,
      "Host: 127.0.0.1",
      "Content-Type: application/x-ndjson",
      `Content-Length: ${length}`,
      "\r\n",
    ].join("\r\n")
  const messages = bodies.map((body) => Buffer.concat([Buffer.from(head(body.length)), body]))
  const sockets = await Promise.all(Array.from({ length: connections }, () => dial(port)))
  const times = new Float64Array(requests)
  let sent = 0
  let refused = 0
  const begun = performance.now()
  await Promise.all(
    sockets.map(async (socket) => {
      while (sent < requests) {
        const number = sent++
        const at = performance.now()
        const answer = await exchange(socket, messages[number % messages.length])
        times[number] = performance.now() - at
        if (!answer.startsWith("HTTP/1.1 200")) refused++
      }
      socket.destroy()
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  times.sort()
  const quantile = (share: number) => times[Math.min(requests - 1, Math.floor(share * requests))]
  return { requests, refused, seconds, p50: quantile(0.5), p99: quantile(0.99) }
}

function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true })
    socket.once("error", reject).once("connect", () => resolve(socket))
  })
}

/** Sends a message and waits for the whole answer, which states its length. */
function exchange(socket: Socket, message: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ""
    const hear = (chunk: Buffer) => {
      text += chunk.toString("latin1")
      const end = text.indexOf("\r\n\r\n")
      if (end < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (text.length < end + 4 + length) return
      settle()
      resolve(text)
    }
    const lost = () => {
      settle()
      reject(new Error("the connection was lost"))
    }
    const settle = () => socket.off("data", hear).off("close", lost)
    socket.on("data", hear).on("close", lost)
    socket.write(message)
  })
}
