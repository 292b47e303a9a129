import { QueryveilError, systemCode } from "../../kernels/error.ts"

export interface FetchOptions {
  /** The engine's name, used in errors. */
  engine: string
  signal: AbortSignal
  /** Milliseconds within which the whole answer must arrive. */
  timeout: number
  /** Maximum size of the answer in bytes. */
  mostBytes?: number
  /** JSON to send with POST. Without it, the request is a GET. */
  body?: unknown
  headers?: Record<string, string>
}

const mostRedirects = 3
const standardBytes = 8 << 20

/**
 * Fetches JSON from an engine. It sends no cookies and no referrer, and the same user agent for everybody. It follows
 * redirects only within the same origin, so the query goes only where the person chose to send it.
 */
export async function fetchJson(address: URL, options: FetchOptions): Promise<unknown> {
  const { engine, timeout } = options
  const late = AbortSignal.timeout(timeout)
  try {
    const response = await follow(address, options, AbortSignal.any([options.signal, late]))
    if (!response.ok) {
      await response.body?.cancel()
      throw refused(engine, response.status)
    }
    const text = await readText(response, options)
    return parse(text, engine)
  } catch (error) {
    if (error instanceof QueryveilError) throw error
    if (late.aborted)
      throw new QueryveilError(
        "engine-slow",
        `${engine}: no answer within ${timeout / 1000} s. Try again, or choose another engine.`,
      )
    if (options.signal.aborted) throw new QueryveilError("interrupted", "The search was cancelled.")
    const why = (error instanceof Error ? systemCode(error.cause) : undefined) ?? systemCode(error)
    throw new QueryveilError(
      "engine-unreachable",
      `${engine}: cannot be reached${why === undefined ? "" : ` (${why})`}. Is it running, and is its address right?`,
    )
  }
}

async function follow(address: URL, options: FetchOptions, signal: AbortSignal): Promise<Response> {
  const { body, engine } = options
  for (let at = address, step = 0; step <= mostRedirects; step++) {
    const response = await fetch(at, {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      headers: {
        accept: "application/json",
        "accept-language": "en",
        "user-agent": "queryveil",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...options.headers,
      },
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.status < 300 || response.status >= 400) return response
    await response.body?.cancel()
    const location = response.headers.get("location") ?? ""
    const next = URL.canParse(location, at.href) ? new URL(location, at) : undefined
    if (body !== undefined || next?.origin !== address.origin)
      throw badAnswer(engine, "redirects to another origin, where the query was not sent. Check its address.")
    at = next
  }
  throw badAnswer(engine, "redirects too often. Check its address.")
}

async function readText(response: Response, { engine, mostBytes = standardBytes }: FetchOptions): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > mostBytes) throw badAnswer(engine, `its answer is over ${mostBytes >> 20} MB, so it was not used.`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString("utf8")
}

function parse(text: string, engine: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const what = /^\s*</.test(text) ? "answers with a page (HTML) instead of JSON" : "its answer is not JSON"
    throw badAnswer(engine, `${what}. Check its address, and that it gives JSON.`)
  }
}

const badAnswer = (engine: string, what: string) => new QueryveilError("engine-answer", `${engine}: ${what}`)

function refused(engine: string, status: number): QueryveilError {
  const advice: Record<number, string> = {
    401: "It requires a login, which queryveil does not send.",
    403: "It refuses programs. In SearXNG, allow json under search.formats in settings.yml.",
    404: "There is nothing at this address, or no such index.",
    429: "It was asked too often. Wait, then try again.",
  }
  const why = advice[status] ?? (status >= 500 ? "The engine itself failed. Try again later." : "Check its address.")
  return new QueryveilError("engine-refused", `${engine}: answered with status ${status}. ${why}`)
}
