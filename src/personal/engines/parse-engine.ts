import { QueryveilError } from "../../kernels/error.ts"
import type { SearchEngine } from "./engine.ts"
import { personalising } from "./personalising.ts"
import { searchApi } from "./search-api.ts"
import { searxng } from "./searxng.ts"

type Maker = (address: URL, options: { timeout: number }) => SearchEngine

const makers: Record<string, Maker> = {
  searxng,
  opensearch: (address, options) => searchApi(address, { ...options, kind: "opensearch" }),
  elasticsearch: (address, options) => searchApi(address, { ...options, kind: "elasticsearch" }),
  queryveil: personalising,
}

/** The engine that `KIND=URL` names. Queries travel encrypted or stay on this machine. */
export function parseEngine(text: string, { timeout = 8000 }: { timeout?: number } = {}): SearchEngine {
  const flag = "--engine"
  const wrong = (what: string) => new QueryveilError("option-value", `${flag}: ${what}`, { flag })
  const [, kind = "", rest = ""] = /^([a-z]+)=(.*)$/s.exec(text) ?? []
  const maker = Object.hasOwn(makers, kind) ? makers[kind] : undefined
  if (maker === undefined) throw wrong(`give KIND=URL, where KIND is one of ${Object.keys(makers).join(", ")}.`)
  const address = URL.canParse(rest) ? new URL(rest) : undefined
  if (address === undefined || !["http:", "https:"].includes(address.protocol))
    throw wrong(`${kind}: not an address of http or https.`)
  if (address.username !== "" || address.password !== "")
    throw wrong(`${kind}: an address on the command line is seen by others, so it may not have a password in it.`)
  if (address.protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(address.hostname))
    throw wrong(`${kind}: http:// would send queries in plain text. Use https://, or a tunnel to localhost.`)
  return maker(address, { timeout })
}
