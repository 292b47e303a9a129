import { chmod, rm, stat } from "node:fs/promises"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { QueryveilError } from "../../kernels/error.ts"
import { describeAddress, listenError, type SocketAddress } from "../address.ts"
import type { LiveStream } from "../live/live-stream.ts"
import { BatchMaker } from "./batch-maker.ts"
import type { LineChoice } from "./line-format.ts"
import { type LiveInput, Offering, offerArrivals } from "./live-input.ts"
import { readArrivals } from "./read-arrivals.ts"

/** Where clients are listened for. */
export interface SocketInputOptions extends LineChoice {
  address: SocketAddress
  /** Told once, with the port that was given. */
  onListening?: (address: SocketAddress) => void
  /** Told of what a person should know; never text of the log. */
  warn(text: string): void
}

/**
 * Listens for clients that send lines; each has its own format. Of a client that disconnects in mid-line, the half line is
 * rejected and counted. A client whose lines are of no known format is disconnected; the others do not notice.
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
      // A half-open connection is closed from this side too, once everything was read.
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

/** What a client may do wrong; all else is ours. */
const lineErrors = new Set([
  "input-rows",
  "input-columns",
  "input-encoding",
  "input-unreadable",
  "usage",
  "option-value",
])

/** A connection that breaks is one that ended. */
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

async function listen(server: Server, address: SocketAddress): Promise<SocketAddress> {
  if (address.kind === "unix") await removeStale(address.path)
  const mask = process.umask(0o177) // a socket is made with the mode that the mask leaves
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(
        address.kind === "unix" ? { path: address.path } : { host: address.host, port: address.port },
        () => {
          server.off("error", reject)
          resolve()
        },
      )
    })
  } catch (error) {
    throw listenError(address, error)
  } finally {
    process.umask(mask)
  }
  if (address.kind === "unix") {
    await chmod(address.path, 0o600)
    return address
  }
  const { port } = server.address() as AddressInfo
  return { ...address, port }
}

/** Removes the file of a socket that nobody listens on any more. Anything else that stands there is left alone. */
async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || !found.isSocket()) return // listening on what is no socket fails by itself
  const isUsed = await new Promise<boolean>((resolve) => {
    const probe = connect(path, () => resolve(true))
    probe.on("error", () => resolve(false)).on("close", () => resolve(false))
    probe.on("connect", () => probe.destroy())
  })
  if (!isUsed) await rm(path, { force: true })
}
