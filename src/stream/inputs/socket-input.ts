import { chmod, rm, stat } from "node:fs/promises"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { QueryveilError } from "../../kernels/error.ts"
import { describeAddress, listenError, type SocketAddress } from "../address.ts"
import type { LiveStream } from "../live/live-stream.ts"
import { BatchMaker } from "./batch-maker.ts"
import type { LineChoice } from "./line-format.ts"
import { type LiveInput, Offering, offerArrivals } from "./live-input.ts"
import { readArrivals } from "./read-arrivals.ts"

/** Where to listen for clients. */
export interface SocketInputOptions extends LineChoice {
  address: SocketAddress
  /** Called once, with the actual port. */
  onListening?: (address: SocketAddress) => void
  /** Receives messages for the operator; never text of the log. */
  warn(text: string): void
}

/**
 * Listens for clients that send lines; each client has its own format. If a client disconnects in the middle of a line,
 * the partial line is rejected and counted. A client whose lines have no known format is disconnected; the other
 * clients are not affected.
 */
export function socketInput(options: SocketInputOptions): LiveInput {
  return {
    async run(stream, signal) {
      const clients = new Set<Promise<void>>()
      let fail: (error: unknown) => void = () => {}
      const failed = new Promise<never>((_resolve, reject) => {
        fail = reject
      })
      failed.catch(() => {})
      // A half-open connection is also closed from this side, after everything was read.
      const server = createServer({ highWaterMark: 1 << 20 }, (socket) => {
        const client = takeClient(socket, stream, { ...options, signal })
        client.catch(fail)
        clients.add(client)
        client.finally(() => clients.delete(client)).catch(() => {})
      })
      server.on("error", (error) => fail(listenError(options.address, error)))
      options.onListening?.(await listen(server, options.address))
      try {
        await Promise.race([failed, stopped(signal)])
        await Promise.race([failed, Promise.all(clients)])
      } finally {
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

async function takeClient(
  socket: Socket,
  stream: LiveStream,
  options: SocketInputOptions & { signal: AbortSignal },
): Promise<void> {
  const { signal, address } = options
  const path = describeAddress(address)
  const offering = new Offering(stream)
  const maker = new BatchMaker({ ...options, path })
  try {
    await offerArrivals(disconnecting(readArrivals(socket, signal)), maker, offering)
    await offering.offer(maker.finish(signal.aborted ? "leave" : "reject"))
  } catch (error) {
    if (!(error instanceof QueryveilError) || !lineErrors.has(error.code)) throw error
    options.warn(`a client was disconnected: ${error.message}`)
  } finally {
    socket.destroy()
  }
}

/** Errors that a client can cause; all others are ours. */
const lineErrors = new Set([
  "input-rows",
  "input-columns",
  "input-encoding",
  "input-unreadable",
  "usage",
  "option-value",
])

/** Treats a broken connection as an ended one. */
async function* disconnecting<T>(arrivals: AsyncGenerator<T>): AsyncGenerator<T> {
  for (;;) {
    const next = await arrivals.next().catch(() => undefined)
    if (next === undefined || next.done) return
    yield next.value
  }
}

const stopped = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })

/** A socket is made at once, with the mode that the mask of the process leaves. Nothing else is made meanwhile. */
function listenAt(server: Server, address: SocketAddress): void {
  if (address.kind !== "unix") {
    server.listen({ host: address.host, port: address.port })
    return
  }
  const mask = process.umask(0o177)
  try {
    server.listen({ path: address.path })
  } finally {
    process.umask(mask)
  }
}

async function listen(server: Server, address: SocketAddress): Promise<SocketAddress> {
  if (address.kind === "unix") await removeStale(address.path)
  const listening = new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.once("listening", () => {
      server.off("error", reject)
      resolve()
    })
  })
  listenAt(server, address)
  await listening.catch((error) => {
    throw listenError(address, error)
  })
  if (address.kind === "unix") {
    await chmod(address.path, 0o600)
    return address
  }
  const { port } = server.address() as AddressInfo
  return { ...address, port }
}

/** Removes the file of a socket that no process listens on any more. Leaves anything else at this path alone. */
async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || !found.isSocket()) return // listening on something that is not a socket fails by itself
  const isUsed = await new Promise<boolean>((resolve) => {
    const probe = connect(path, () => resolve(true))
    probe.on("error", () => resolve(false)).on("close", () => resolve(false))
    probe.on("connect", () => probe.destroy())
  })
  if (!isUsed) await rm(path, { force: true })
}
