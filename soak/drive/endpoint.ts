/** Where the stream answers at the moment; undefined while it is not there. */
export interface Endpoint {
  url: string | undefined
}

/** An answer, read to its end. */
export interface Reply {
  status: number
  retryAfter: string | null
  text: string
}

/** Asks, and reads the answer to its end; undefined where there was none: nobody knows what became of the request. */
export async function ask(endpoint: Endpoint, path: string, init: RequestInit): Promise<Reply | undefined> {
  if (endpoint.url === undefined) return undefined
  try {
    const reply = await fetch(`${endpoint.url}${path}`, { ...init, signal: AbortSignal.timeout(20_000) })
    return { status: reply.status, retryAfter: reply.headers.get("retry-after"), text: await reply.text() }
  } catch {
    return undefined
  }
}
