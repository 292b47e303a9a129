import type { Exposure } from "../exposure.ts"

/** A result as the engine returned it: plain text, and an address that is safe to use as a link. */
export interface EngineResult {
  title: string
  /** An http or https address, otherwise null. */
  url: string | null
  snippet: string
  /** Rank before the engine personalised, from 1. Set only if the engine personalised and reports it. */
  before?: number
}

/** What goes with a query to an engine. */
export interface SearchOptions {
  /** The part of the profile that is shown. Only engines that accept exposures read it. */
  exposure?: Exposure
  signal: AbortSignal
  /** Maximum number of results. */
  count: number
}

/** A search engine that queries are sent to. */
export interface SearchEngine {
  readonly name: string
  readonly kind: "built-in" | "searxng" | "opensearch" | "elasticsearch" | "queryveil"
  /** Who sees the queries. Engines with the same observer share a session, however many names they have. */
  readonly observer: string
  readonly acceptsExposure: boolean
  /** Fails with one of the engine-… codes. */
  search(query: string, options: SearchOptions): Promise<EngineResult[]>
}

/**
 * The observer at an address, by host and port. All names of this machine are one observer. A final dot in a name is
 * ignored.
 */
export function observerAt({ hostname, host, port }: URL): string {
  const isHere = /^(localhost\.?|127(\.\d+){3}|\[::1\])$/.test(hostname)
  if (isHere) return port === "" ? "127.0.0.1" : `127.0.0.1:${port}`
  return host.replace(/\.(?=:|$)/, "")
}
