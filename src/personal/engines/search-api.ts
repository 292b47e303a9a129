import { QueryveilError } from "../../kernels/error.ts"
import { type EngineResult, observerAt, type SearchEngine } from "./engine.ts"
import { fetchJson } from "./fetch-json.ts"
import { plainText, safeUrl } from "./plain-text.ts"
import { isObject } from "./searxng.ts"

/** Names of the fields that hold a document's title, url and snippet. Dots separate the names of nested fields. */
interface Fields {
  title: string
  url: string
  snippet: string
}

const standardFields: Fields = { title: "title", url: "url", snippet: "content" }

/** Parameters of an address that name fields. */
export const searchApiFields = Object.keys(standardFields)

/**
 * OpenSearch or Elasticsearch: `POST /INDEX/_search` with a multi_match over title and snippet, with the title weighted
 * twice. The address names the fields: `?title=name&url=link&snippet=body`.
 */
export function searchApi(
  address: URL,
  options: { kind: "opensearch" | "elasticsearch"; timeout: number },
): SearchEngine {
  const { kind, timeout } = options
  const path = address.pathname.replace(/\/+$/, "").replace(/\/_search$/, "")
  const name = `${kind} ${address.host}${path}`
  const given = (field: keyof Fields) => address.searchParams.get(field) || standardFields[field]
  const fields: Fields = { title: given("title"), url: given("url"), snippet: given("snippet") }
  return {
    name,
    kind,
    observer: observerAt(address),
    acceptsExposure: false,
    async search(query, { signal, count }) {
      const body = {
        size: count,
        query: { multi_match: { query, fields: [`${fields.title}^2`, fields.snippet] } },
        _source: [fields.title, fields.url, fields.snippet],
      }
      const answer = await fetchJson(new URL(`${path}/_search`, address), { engine: name, signal, timeout, body })
      return readHits(answer, { engine: name, fields, count })
    },
  }
}

function readHits(
  answer: unknown,
  { engine, fields, count }: { engine: string; fields: Fields; count: number },
): EngineResult[] {
  const hits = isObject(answer) && isObject(answer.hits) ? answer.hits.hits : undefined
  if (!Array.isArray(hits))
    throw new QueryveilError("engine-answer", `${engine}: its answer has no hits. Check its address: HOST:PORT/INDEX.`)
  const first = hits.filter(isObject).slice(0, count)
  return first.map(({ _source: source }) => {
    const read = (field: string) => fieldOf(source, field)
    return {
      title: plainText(read(fields.title)),
      url: safeUrl(read(fields.url)),
      snippet: plainText(read(fields.snippet)),
    }
  })
}

/** The field `a.b` of an object, written either as one name or as nested objects. Of a list, the first item. */
function fieldOf(source: unknown, field: string): unknown {
  if (!isObject(source)) return undefined
  const [first = "", ...rest] = field.split(".")
  const found = Object.hasOwn(source, field)
    ? source[field]
    : rest.length > 0
      ? fieldOf(source[first], rest.join("."))
      : undefined
  return Array.isArray(found) ? found[0] : found
}
