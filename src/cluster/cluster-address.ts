import { QueryveilError } from "../kernels/error.ts"
import { isLoopback } from "../kernels/loopback.ts"
import { splitScheme } from "../kernels/scheme.ts"

/** The two kinds of cluster. They differ in how a point in time is opened and closed. */
type ClusterKind = "opensearch" | "elasticsearch"

/**
 * Schemes of an index. Without a suffix the connection uses TLS, except to this machine. `+https` uses TLS to this
 * machine too. `+http` sends plain text anywhere: whoever writes it accepts that.
 */
export const clusterSchemes = ["opensearch", "elasticsearch"].flatMap((kind) => [kind, `${kind}+https`, `${kind}+http`])

/** Indices of a cluster. It holds no secret, so it may be shown and kept. */
export interface ClusterAddress {
  kind: ClusterKind
  host: string
  port: number
  tls: boolean
  /** What is before the index in the path: empty, or `/logs`. */
  prefix: string
  /** One or more names separated by commas; aliases, data streams and patterns too. */
  index: string
  /** The address in one form, however it was written: `opensearch://127.0.0.1:9200/ubi_queries`. */
  name: string
}

const form = "opensearch://HOST:9200/INDEX"

/** Hides a user name and password in an address, for messages. */
const hideSecret = (text: string): string => text.replace(/\/\/[^/]*@/, "//…@")

/** Parses the address of indices. `flag` is the option that gave it, if one did. No message repeats a password. */
export function parseClusterAddress(text: string, flag?: string): ClusterAddress {
  const shown = `${flag === undefined ? "" : `${flag} `}${hideSecret(text)}`
  const refuse = (what: string) =>
    new QueryveilError("option-value", `${shown}: ${what}`, flag === undefined ? {} : { flag })
  const { scheme = "" } = splitScheme(text) ?? {}
  const [kind, suffix] = scheme.split("+")
  if (kind !== "opensearch" && kind !== "elasticsearch") throw refuse(`not an index. Give ${form}.`)
  if (/^[^/]*:\/\/[^/]*@/.test(text)) throw refuse(secretAdvice)
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) throw refuse(`not an address. Give ${form}.`)
  if (/[?#]/.test(text)) throw refuse("the address has a part after “?” or “#”, which cannot be used. Leave it out.")
  const { hostname, port, pathname } = new URL(text)
  const host = hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase()
  const parts = pathname.split("/").filter((part) => part !== "")
  const index = parts.pop() ?? ""
  if (host === "" || index === "") throw refuse(`an index is missing. Give ${form}, or several with commas.`)
  if (index.startsWith("_") || parts.some((part) => part.startsWith(".")))
    throw refuse(`the last part is not the name of an index. Give ${form}.`)
  const tls = suffix === "https" || (suffix === undefined && !isLoopback(host))
  const place = `${host.includes(":") ? `[${host}]` : host}:${port || 9200}`
  const prefix = parts.map((part) => `/${part}`).join("")
  // The name says how the cluster is reached only where the scheme alone does not.
  const isUsual = tls === !isLoopback(host)
  const name = `${kind}${isUsual ? "" : tls ? "+https" : "+http"}://${place}${prefix}/${index}`
  return { kind, host, port: Number(port || 9200), tls, prefix, index, name }
}

const secretAdvice = [
  "the address has a user name or password in it. Others can see addresses.",
  "Give an address without one, and the password in QUERYVEIL_OPENSEARCH_PASSWORD or in the file that",
  "QUERYVEIL_OPENSEARCH_CREDENTIALS names (docs/opensearch.md).",
].join(" ")

/** True if what is sent can be read on the way. */
export const isPlainRemote = ({ tls, host }: ClusterAddress): boolean => !tls && !isLoopback(host)
