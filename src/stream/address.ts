import { QueryveilError, systemCode } from "../kernels/error.ts"

/** Address of a socket. */
export type SocketAddress = { kind: "tcp"; host: string; port: number } | { kind: "unix"; path: string }

/** `HOST:PORT`, `[::1]:PORT`, `:PORT` or `PORT`. */
export function parseHost(text: string, flag: string): { kind: "tcp"; host: string; port: number } {
  const found = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/]*)):(\d{1,5})$/i.exec(/^\d+$/.test(text) ? `:${text}` : text)
  const port = Number(found?.[3])
  if (found === null || port > 65535) throw invalidAddress(text, flag, "Give HOST:PORT, for example 127.0.0.1:8080")
  return { kind: "tcp", host: found[1] ?? (found[2] || "127.0.0.1"), port }
}

function invalidAddress(text: string, flag: string, advice: string): QueryveilError {
  return new QueryveilError("option-value", `${flag} ${text}: not an address. ${advice}.`, { flag })
}

export function describeAddress(address: SocketAddress): string {
  if (address.kind === "unix") return `unix:${address.path}`
  return `tcp://${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`
}

/** Http URL of a page or an interface that is served at this address. */
export const urlOf = (address: SocketAddress): string => describeAddress(address).replace(/^tcp:/, "http:")

export function listenError(address: SocketAddress, cause: unknown): unknown {
  const code = systemCode(cause)
  if (code === undefined) return cause
  return new QueryveilError(
    "address-unusable",
    `${describeAddress(address)}: cannot listen here (${code}). Choose another address, or stop the program there.`,
    { cause },
  )
}
