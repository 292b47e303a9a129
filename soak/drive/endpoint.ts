/** The current address of the stream; undefined while it is not running. */
export interface Endpoint {
  url: string | undefined
}

/** An answer that was read to its end. */
export interface Reply {
  status: number
  retryAfter: string | null
  text: string
}

/**
 * Sends a request and reads the answer to its end. Undefined if there was none; then it is unknown what became of the
 * request.
 */
export async function ask(endpoint: Endpoint, path: string, init: RequestInit): Promise<Reply | undefined> {
  if (endpoint.url === undefined) return undefined
  try {
    const reply = await fetch(`${endpoint.url}${path}`, { ...init, signal: AbortSignal.timeout(20_000) })
    return { status: reply.status, retryAfter: reply.headers.get("retry-after"), text: await reply.text() }
  } catch {
    return undefined
  }
}
