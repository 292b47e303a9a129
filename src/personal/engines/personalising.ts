import { observerAt, type SearchEngine } from "./engine.ts"
import { fetchJson } from "./fetch-json.ts"
import { readResults } from "./searxng.ts"

/** Says that the body has an exposure, and in which form. It is for intermediaries that read only headers. */
const exposureHeader = "x-queryveil-exposure"
const exposureForm = "paths; version=1"

/**
 * An engine that personalises: `POST /search` with `{"query", "exposure": [path, …], "count"}`, as `personal engine`
 * expects. Without an exposure, both the field and the header are omitted.
 */
export function personalising(address: URL, options: { timeout: number }): SearchEngine {
  const name = `queryveil ${address.host}`
  return {
    name,
    kind: "queryveil",
    observer: observerAt(address),
    acceptsExposure: true,
    async search(query, { exposure, signal, count }) {
      const isShown = exposure !== undefined && exposure.paths.length > 0
      const url = new URL(`${address.pathname.replace(/\/+$/, "")}/search`, address)
      const answer = await fetchJson(url, {
        engine: name,
        signal,
        timeout: options.timeout,
        body: { query, count, ...(isShown && { exposure: exposure.paths }) },
        headers: isShown ? { [exposureHeader]: exposureForm } : {},
      })
      return readResults(answer, { engine: name, count })
    },
  }
}
