import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { Life } from "../life.ts"
import { lineCutter, Seen } from "../seen.ts"
import type { Driver, World } from "./driver.ts"
import { feedPieces } from "./pieces.ts"

/** A client of the stream, and a server that the stream connects to, over TCP or Unix sockets. */
export async function socketDriver(world: World, kind: "tcp" | "unix"): Promise<Driver> {
  const seen = new Seen(world.findings)
  const readers = new Set<Socket>()
  let bytesSeen = 0
  let connections = 0
  const server = createServer((socket) => {
    const source = { name: `connection ${connections++}`, last: undefined, after: undefined }
    const cut = lineCutter((line) => seen.take(line, source))
    readers.add(socket)
    socket.on("error", () => {}).on("close", () => readers.delete(socket))
    socket.on("data", (bytes) => {
      bytesSeen += bytes.length
      cut(bytes)
    })
  })
  const path = join(world.folder, "out.sock")
  if (kind === "unix") server.listen(path)
  else server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const output = typeof address === "object" && address !== null ? `tcp://127.0.0.1:${address.port}` : `unix:${path}`
  const input = kind === "unix" ? `unix:${join(world.folder, "in.sock")}` : "tcp://127.0.0.1:0"

  const feed = async (life: Life, signal: AbortSignal) => {
    const place = await life.says(/listening on ((?:tcp|unix):\S+)\n/)
    if (place === undefined) return
    const target = kind === "unix" ? { path: place.slice(5) } : { host: "127.0.0.1", port: Number(/\d+$/.exec(place)) }
    const socket = connect(target)
    socket.on("error", () => {})
    const closed = new Promise((resolve) => socket.on("close", resolve))
    const write = (text: string) => Promise.race([new Promise((resolve) => socket.write(text, resolve)), closed])
    await feedPieces(world, { life, signal, write })
    socket.end()
    await closed
  }
  return {
    isLossless: false,
    isAnswered: false,
    places: () => ["--input", input, "-o", output, "--to", "jsonl"],
    feed,
    progress: () => bytesSeen,
    async collect() {
      while (readers.size > 0) await wait(2) // what was sent before the kill is still read
      world.sent.takenUpTo(world.sent.searches.length - 1)
    },
    async finish(life) {
      await life.says(/listening on ((?:tcp|unix):\S+)\n/)
      await feed(life, AbortSignal.timeout(500))
      life.child.kill("SIGTERM")
    },
    lines: () => seen.lines,
    async close() {
      server.close()
    },
  }
}
