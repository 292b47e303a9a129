import { QueryveilError } from "../../kernels/error.ts"
import type { SearchEngine } from "./engine.ts"
import { personalising } from "./personalising.ts"
import { searchApi, searchApiFields } from "./search-api.ts"
import { searxng } from "./searxng.ts"

type Maker = (address: URL, options: { timeout: number }) => SearchEngine

/** Kinds of engines that have an address. */
const engineKinds = ["searxng", "opensearch", "elasticsearch", "queryveil"] as const

/** An engine that has an address, before it is opened. */
export interface EngineAddress {
  kind: string
  url: string
}

const makers: Record<(typeof engineKinds)[number], Maker> = {
  searxng,
  opensearch: (address, options) => searchApi(address, { ...options, kind: "opensearch" }),
  elasticsearch: (address, options) => searchApi(address, { ...options, kind: "elasticsearch" }),
  queryveil: personalising,
}

const parameters: Record<(typeof engineKinds)[number], readonly string[]> = {
  searxng: [],
  opensearch: searchApiFields,
  elasticsearch: searchApiFields,
  queryveil: [],
}

const standardTimeout = 8000

/** The engine named by `KIND=URL`, the form that `--engine` takes. */
export function parseEngine(text: string, { timeout = standardTimeout }: { timeout?: number } = {}): SearchEngine {
  const flag = "--engine"
  const [, kind = "", url = ""] = /^([a-z]+)=(.*)$/s.exec(text) ?? []
  try {
    return makeEngine({ kind, url }, { timeout })
  } catch (error) {
    if (!(error instanceof QueryveilError)) throw error
    const what = kind === "" ? `Give KIND=URL, where KIND is one of ${engineKinds.join(", ")}.` : error.message
    throw new QueryveilError("option-value", `${flag}: ${what}`, { flag })
  }
}

/**
 * The engine at an address. Every way to name an engine ends here, so these rules always apply: queries travel
 * encrypted or stay on this machine, and an address holds no secret. No error message repeats the address.
 */
export function makeEngine(
  { kind: given, url }: EngineAddress,
  { timeout = standardTimeout }: { timeout?: number } = {},
): SearchEngine {
  const wrong = (what: string) => new QueryveilError("option-value", what)
  const kind = engineKinds.find((known) => known === given)
  if (kind === undefined) throw wrong(`Unknown kind of engine. Kinds are ${engineKinds.join(", ")}.`)
  // URL parsing drops line breaks, so an address with one is refused: the address that is checked must be the one
  // given.
  const address = URL.canParse(url) && !/[\s\p{Cc}]/u.test(url) ? new URL(url) : undefined
  if (address === undefined || !["http:", "https:"].includes(address.protocol))
    throw wrong(`${kind}: not an http or https address. Give one such as https://search.example.`)
  if (address.username !== "" || address.password !== "")
    throw wrong(`${kind}: the address has a user name or password in it. Others can see addresses; give one without.`)
  if (address.protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(address.hostname))
    throw wrong(`${kind}: http:// would send queries in plain text. Use https://, or a tunnel to localhost.`)
  const used = parameters[kind]
  if ([...address.searchParams.keys()].some((name) => !used.includes(name))) {
    const advice = used.length === 0 ? "Leave out the “?” and what follows." : `Only ${used.join(", ")} can be used.`
    throw wrong(`${kind}: the address has a parameter that cannot be used (after the “?”). ${advice}`)
  }
  return makers[kind](address, { timeout })
}
