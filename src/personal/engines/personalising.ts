import { observerAt, type SearchEngine } from "./engine.ts"
import { fetchJson } from "./fetch-json.ts"
import { readResults } from "./searxng.ts"

/** Says that an exposure is in the body, and in which form. For those between who look at headers only. */
const exposureHeader = "x-queryveil-exposure"
const exposureForm = "paths; version=1"

/**
 * An engine that personalises: `POST /search` with `{"query", "exposure": [path, …], "count"}`, as `personal engine` takes it.
 * Without an exposure there is neither the field nor the header.
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
