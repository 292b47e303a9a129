import { plainName } from "./columns.ts"
import type { Converter } from "./convert-block.ts"
import type { Conversion } from "./parsed-block.ts"

const lineTime = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/
const opening = "params={"

/** Parameters that are taken for the user. The list is short because Solr has no users of its own. */
const userParameters = ["anonid", "user", "userid", "uid", "clientid", "visitorid", "cookie", "cookieid", "member"]

/**
 * Solr's request log: lines that contain `params={q=…&…}`. Skipped are requests that Solr sends to its own shards
 * (`distrib=false`, `isShard=true`), lines without a `q`, and all other lines. `*:*` counts as an empty query. Solr has
 * no users of its own, so the user is a parameter of the request, either named by `--columns user=…` or recognised by a
 * usual name.
 */
export function solrConverter({ columns }: Conversion): Converter {
  return (line) => {
    const start = line.indexOf(opening)
    if (start < 0) return []
    const parameters = readParameters(line, start + opening.length)
    if (parameters.get("distrib") === "false" || parameters.get("isShard") === "true") return []
    const query = parameters.get(columns.query ?? "q")
    if (query === undefined) return []
    const text = query.replace(/^\{![^}]*\}/, "")
    if (text.trim() === "*:*") return "query"
    const user = columns.user === undefined ? findUser(parameters) : parameters.get(columns.user)
    return [{ user, query: text, time: lineTime.exec(line.slice(0, start))?.[0] }]
  }
}

/** The first of the usual user parameters that a request has. */
function findUser(parameters: ReadonlyMap<string, string>): string | undefined {
  const names = [...parameters.keys()]
  for (const wanted of userParameters) {
    const name = names.find((candidate) => plainName(candidate) === wanted)
    if (name !== undefined) return parameters.get(name)
  }
  return undefined
}

/**
 * The parameters from `start` on. Solr writes spaces as `+` there, so the first `} ` ends them, although values may
 * contain braces. A parameter that is given more than once keeps its first value.
 */
function readParameters(line: string, start: number): Map<string, string> {
  const close = line.indexOf("} ", start)
  const end = close >= 0 ? close : line.lastIndexOf("}")
  const parameters = new Map<string, string>()
  for (const part of line.slice(start, end < start ? line.length : end).split("&")) {
    const equals = part.indexOf("=")
    if (equals < 0) continue
    const name = decode(part.slice(0, equals))
    if (!parameters.has(name)) parameters.set(name, decode(part.slice(equals + 1)))
  }
  return parameters
}

/** Decodes `+` and `%xx`. If a code is invalid, only `+` is decoded. */
function decode(text: string): string {
  const spaced = text.replaceAll("+", " ")
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
