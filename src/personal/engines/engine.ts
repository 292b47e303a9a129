import type { Exposure } from "../exposure.ts"

/** A result as an engine gave it: plain text, and an address that is safe to be a link. */
export interface EngineResult {
  title: string
  /** http or https, else null. */
  url: string | null
  snippet: string
  /** Place before the engine personalised, from 1; only where it did and says so. */
  before?: number
}

/** What goes with a query to an engine. */
export interface SearchOptions {
  /** What is shown of the profile; only engines that accept exposures look at it. */
  exposure?: Exposure
  signal: AbortSignal
  /** Most results. */
  count: number
}

/** Whom a query is sent to. */
export interface SearchEngine {
  readonly name: string
  readonly kind: "built-in" | "searxng" | "opensearch" | "elasticsearch" | "queryveil"
  /** Who sees what is sent. Engines with the same observer share a session, however many names they have. */
  readonly observer: string
  readonly acceptsExposure: boolean
  /** Fails with one of the codes engine-… */
  search(query: string, options: SearchOptions): Promise<EngineResult[]>
}

/** Who is at an address, by host and port: the names of this machine are one, and so is a name with and without its last dot. */
export function observerAt({ hostname, host, port }: URL): string {
  const isHere = /^(localhost\.?|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (isHere) return port === "" ? "127.0.0.1" : `127.0.0.1:${port}`
  return host.replace(/\.(?=:|$)/, "")
}
