import { randomInt } from "node:crypto"
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { interruption } from "../kernels/context.ts"
import type { ClusterAddress } from "./cluster-address.ts"
import {
  AnswerTooLarge,
  badAnswer,
  type ClusterAnswer,
  connectionError,
  isHopeless,
  refusedError,
} from "./cluster-errors.ts"
import type { ClusterSecrets } from "./credentials.ts"

/** One request. The body is JSON, or lines of JSON. */
export interface ClusterRequest {
  method: "GET" | "POST" | "PUT" | "DELETE"
  /** Below the prefix of the address, with its query: `/_search?…`. */
  path: string
  body?: unknown
  /** Lines of JSON instead of a body, as `_bulk` takes them. */
  lines?: string | Uint8Array
  signal?: AbortSignal | undefined
  /** Milliseconds to try again while the cluster cannot be reached or is busy (default 0: once). */
  patience?: number
  /** Bytes of the largest answer. */
  mostBytes?: number
  /** Return the body of a success as it came, without parsing it. */
  raw?: boolean
  /** Statuses that are returned instead of thrown. */
  accepts?: readonly number[]
}

/** Statuses of a cluster that is busy or starting. The same request may succeed later. */
const busy = [429, 502, 503, 504]
const standardBytes = 16 << 20
/** Milliseconds without a byte before a connection counts as lost. */
const silence = 120_000

/** Milliseconds to wait before a try: doubled each time, and varied so that clients do not come together. */
export const backOff = (tries: number): number =>
  Math.min(10_000, 200 * 2 ** Math.min(tries, 6)) * (0.5 + randomInt(1000) / 1000)

/** Resolves after this time; rejects if the signal comes first. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(interruption())
    const stop = () => {
      clearTimeout(timer)
      reject(interruption())
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener("abort", stop, { once: true })
  })
}

/** Speaks to one cluster. It follows no redirect, and sends credentials only to the host of its address. */
export class ClusterClient {
  readonly address: ClusterAddress
  readonly #agent: HttpAgent | HttpsAgent
  readonly #headers: Record<string, string>

  constructor(address: ClusterAddress, { authorization, ca }: ClusterSecrets) {
    this.address = address
    const options = { keepAlive: true, maxSockets: 8 }
    this.#agent = address.tls
      ? new HttpsAgent({ ...options, ...(ca !== undefined && { ca }), rejectUnauthorized: true })
      : new HttpAgent(options)
    this.#headers = { accept: "application/json", "user-agent": "queryveil", ...(authorization && { authorization }) }
  }

  /** Sends a request. Throws for a status that is neither success nor accepted. */
  async ask(request: ClusterRequest): Promise<ClusterAnswer> {
    const { signal, patience = 0, accepts = [] } = request
    const until = performance.now() + patience
    for (let tries = 0; ; tries++) {
      const wait = backOff(tries)
      const mayTry = performance.now() + wait < until
      try {
        const answer = await this.#send(request)
        const isDone = (answer.status >= 200 && answer.status < 300) || accepts.includes(answer.status)
        if (isDone) return answer
        if (!busy.includes(answer.status) || !mayTry) throw refusedError(this.address, answer)
      } catch (error) {
        if (signal?.aborted) throw interruption()
        if (error instanceof Lost) {
          if (!mayTry || isHopeless(error.cause)) throw connectionError(this.address, error.cause)
        } else throw error
      }
      await pause(wait, signal)
    }
  }

  #send(request: ClusterRequest): Promise<ClusterAnswer> {
    const { method, path, body, lines, signal, mostBytes = standardBytes, raw = false } = request
    const { host, port, prefix, tls } = this.address
    const content = lines ?? (body === undefined ? undefined : JSON.stringify(body))
    const type = lines === undefined ? "application/json" : "application/x-ndjson"
    return new Promise((resolve, reject) => {
      const sent = (tls ? httpsRequest : httpRequest)(
        {
          host,
          port,
          method,
          path: `${prefix}${path}`,
          agent: this.#agent,
          timeout: silence,
          ...(signal && { signal }),
          headers: {
            ...this.#headers,
            ...(content !== undefined && { "content-type": type, "content-length": Buffer.byteLength(content) }),
          },
        },
        (response) => readAnswer(response, { mostBytes, raw, address: this.address }).then(resolve, reject),
      )
      sent.on("timeout", () => sent.destroy(Object.assign(new Error("silent"), { code: "ETIMEDOUT" })))
      sent.on("error", (error) => reject(new Lost("lost", { cause: error })))
      sent.end(content)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The connection failed, or was lost before the answer was complete. */
class Lost extends Error {}

async function readAnswer(
  response: IncomingMessage,
  { mostBytes, raw, address }: { mostBytes: number; raw: boolean; address: ClusterAddress },
): Promise<ClusterAnswer> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of response) {
      bytes += part.length
      if (bytes > mostBytes) throw new AnswerTooLarge()
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof AnswerTooLarge ? error : new Lost("lost", { cause: error })
  }
  if (!response.complete) throw new Lost("lost", { cause: { code: "ECONNRESET" } })
  const status = response.statusCode ?? 0
  const isDone = status >= 200 && status < 300
  const all = Buffer.concat(parts)
  if (raw && isDone) return { status, body: undefined, raw: all }
  const body = parse(all.toString("utf8"))
  if (body === undefined && isDone)
    throw badAnswer(address, "its answer is not JSON. Is this a cluster, and is the address right?")
  return { status, body }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
