import type { FastifyInstance } from "fastify"
import { QueryveilError } from "../../kernels/error.ts"
import { isLoopback } from "../../kernels/loopback.ts"
import { listenError, type SocketAddress } from "../../stream/address.ts"

/** A server that answers on this machine only. */
export interface LocalServer {
  address: SocketAddress
  /** Accepts no more requests. Resolves when all connections have ended. */
  close(): Promise<void>
}

/** Listens on loopback; refuses any other host. */
export async function listenLocally(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<LocalServer> {
  if (!isLoopback(host))
    throw new QueryveilError("option-value", "Only addresses of this machine are allowed: 127.0.0.1.", {
      flag: "--port",
    })
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw listenError({ kind: "tcp", host, port }, error)
  }
  return {
    address: { kind: "tcp", host, port: portOf(app) },
    async close() {
      app.server.closeAllConnections()
      await app.close()
    },
  }
}

/** The port that the server actually listens on. */
export function portOf(app: FastifyInstance): number {
  const address = app.server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}
