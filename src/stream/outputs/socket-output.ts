import { connect, type Socket } from "node:net"
import { systemCode } from "../../kernels/error.ts"
import { describeAddress, type SocketAddress } from "../address.ts"
import type { StreamOutput } from "../live/transport.ts"

/** What to do while the socket cannot be reached. */
export interface SocketOutputOptions {
  /** Receives messages for the operator; never text of the log. */
  warn(text: string): void
  /** How long to wait before the next connection attempt, given the number of attempts so far. */
  wait?: (tries: number) => Promise<void>
}

/**
 * A client of a socket that accepts lines. It reconnects when the connection is lost. A slow reader makes `write` wait.
 *
 * Data that was in transit when a connection broke is sent again from the beginning of its records, so a reader may see
 * repeats. This side cannot know what the other machine had received but not yet read.
 */
export function socketOutput(address: SocketAddress, options: SocketOutputOptions): StreamOutput {
  const { warn, wait = backOff } = options
  let socket: Socket | undefined
  let writing: Promise<void> = Promise.resolve()

  async function connected(): Promise<Socket> {
    for (let tries = 0; socket === undefined || socket.destroyed || !socket.writable; tries++) {
      try {
        socket = await connectOnce(address)
      } catch (error) {
        if (tries === 0)
          warn(`${describeAddress(address)}: cannot be reached (${systemCode(error)}). Trying again until it answers.`)
        await wait(tries)
      }
    }
    return socket
  }

  async function send(bytes: Uint8Array): Promise<void> {
    for (;;) {
      const target = await connected()
      const sent = await new Promise<boolean>((resolve) => {
        const lost = () => resolve(false)
        target.once("close", lost)
        target.write(bytes, (error) => {
          target.off("close", lost)
          resolve(error == null)
        })
      })
      if (sent) return
      target.destroy()
    }
  }

  return {
    exact: false,
    async open() {},
    write(bytes) {
      writing = writing.then(() => send(bytes))
      return writing
    },
    settle: () => writing,
    async close() {
      await writing
      const target = socket
      if (target === undefined || target.destroyed) return
      await new Promise<void>((resolve) => {
        target.once("close", () => resolve())
        target.end(() => target.destroy())
      })
    },
  }
}

function connectOnce(address: SocketAddress): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      address.kind === "unix" ? { path: address.path } : { host: address.host, port: address.port },
    )
    socket.once("error", reject).once("connect", () => {
      socket.off("error", reject).on("error", () => {}) // the close handler reports it
      socket.on("data", () => {}) // answers are discarded, but reading detects the end
      resolve(socket)
    })
  })
}

const backOff = (tries: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.min(5000, 100 * 2 ** Math.min(tries, 6))))
