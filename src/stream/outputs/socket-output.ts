import { connect, type Socket } from "node:net"
import { systemCode } from "../../kernels/error.ts"
import { describeAddress, type SocketAddress } from "../address.ts"
import type { StreamOutput } from "../live/transport.ts"

/** What is done while the socket cannot be reached. */
export interface SocketOutputOptions {
  /** Told of what a person should know; never text of the log. */
  warn(text: string): void
  /** How long to wait before a connection is tried again, by the number of tries. */
  wait?: (tries: number) => Promise<void>
}

/**
 * A client of a socket that takes lines; connects again when the connection is lost. A slow reader makes `write` wait.
 * What was on its way when a connection broke is sent again from the beginning of its records, so that a reader may see
 * repeats; what the other machine had taken and not yet read is beyond this end's knowledge.
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
          warn(`${describeAddress(address)}: cannot be reached (${systemCode(error)}). Trying again until it can.`)
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
      socket.off("error", reject).on("error", () => {}) // seen as closed
      socket.on("data", () => {}) // answers are of no interest, but the end is
      resolve(socket)
    })
  })
}

const backOff = (tries: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.min(5000, 100 * 2 ** Math.min(tries, 6))))
