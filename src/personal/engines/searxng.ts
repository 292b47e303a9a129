import { QueryveilError } from "../../kernels/error.ts"
import { type EngineResult, observerAt, type SearchEngine } from "./engine.ts"
import { fetchJson } from "./fetch-json.ts"
import { plainText, safeUrl } from "./plain-text.ts"

/** SearXNG: `GET /search?q=…&format=json` returns `results` with title, url and content. */
export function searxng(address: URL, options: { timeout: number }): SearchEngine {
  const name = `searxng ${address.host}`
  return {
    name,
    kind: "searxng",
    observer: observerAt(address),
    acceptsExposure: false,
    async search(query, { signal, count }) {
      const url = new URL(`${address.pathname.replace(/\/+$/, "")}/search`, address)
      url.searchParams.set("q", query)
      url.searchParams.set("format", "json")
      const answer = await fetchJson(url, { engine: name, signal, timeout: options.timeout })
      return readResults(answer, { engine: name, count })
    },
  }
}

/** The `results` of an answer. Entries that are not objects are left out. */
export function readResults(answer: unknown, { engine, count }: { engine: string; count: number }): EngineResult[] {
  const list = isObject(answer) ? answer.results : undefined
  if (!Array.isArray(list))
    throw new QueryveilError("engine-answer", `${engine}: its answer has no list of results. Check its address.`)
  return list
    .filter(isObject)
    .slice(0, count)
    .map(({ title, url, content, before }) => {
      const result = { title: plainText(title), url: safeUrl(url), snippet: plainText(content) }
      return typeof before === "number" && Number.isInteger(before) ? { ...result, before } : result
    })
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
