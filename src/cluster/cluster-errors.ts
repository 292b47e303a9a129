import { QueryveilError, systemCode } from "../kernels/error.ts"
import type { ClusterAddress } from "./cluster-address.ts"
import { clusterVariables } from "./credentials.ts"

/** An answer that is larger than the caller allows. */
export class AnswerTooLarge extends Error {}

/** The answer of a cluster: its status, and its body if that is JSON. */
export interface ClusterAnswer {
  status: number
  body: unknown
  /** The body as it came, if the request asks for it and succeeds; `body` is then undefined. */
  raw?: Buffer
}

/**
 * The error for a connection that failed. Only the system's code is shown: what a server says of itself may repeat the
 * request.
 */
export function connectionError({ name, tls, kind }: ClusterAddress, cause: unknown): QueryveilError {
  const why = systemCode(cause)
  const says = (advice: string) => {
    const code = why === undefined ? "" : ` (${why})`
    return new QueryveilError("cluster-unreachable", `${name}: cannot be reached${code}. ${advice}`, { file: name })
  }
  if (tls && /CERT|SIGNATURE|SELF_SIGNED|ISSUER/.test(why ?? ""))
    return says(
      `Its certificate is not trusted. Name the file of its authority's certificate in ${clusterVariables.ca}.`,
    )
  if (tls && /EPROTO|SSL|ERR_TLS/.test(why ?? ""))
    return says(`It does not answer with TLS. On this machine ${kind}:// is without TLS, and ${kind}+https:// with it.`)
  if (!tls && /^HPE_|ECONNRESET|EPIPE/.test(why ?? ""))
    return says(`If it uses TLS, write ${kind}+https:// instead of ${kind}://.`)
  return says("Is it running, and is the address right?")
}

/** True if a failed connection will fail again: the certificate or the protocol is wrong. */
export const isHopeless = (cause: unknown): boolean =>
  /CERT|SIGNATURE|SELF_SIGNED|ISSUER|EPROTO|SSL|ERR_TLS|^HPE_|ENOTFOUND|ERR_INVALID/.test(systemCode(cause) ?? "")

/** The error for a status that refuses the request. Of the server's text only the name of its error is shown. */
export function refusedError({ name, kind }: ClusterAddress, answer: ClusterAnswer): QueryveilError {
  const type = errorType(answer.body)
  const file = { file: name }
  if (answer.status === 404)
    return new QueryveilError("input-missing", `${name}: there is no such index. Check its name.`, file)
  const says = type === undefined ? "" : `, ${type}`
  const message = `${name}: answered with status ${answer.status}${says}. ${adviceFor(answer.status, kind)}`
  return new QueryveilError("cluster-refused", message, file)
}

function adviceFor(status: number, kind: ClusterAddress["kind"]): string {
  const { user, password, apiKey, token, file } = clusterVariables
  if (status === 401)
    return [
      "The user, password, key or token is missing or wrong.",
      `Set ${user} and ${password}, ${apiKey}, ${token} or ${file}.`,
    ].join(" ")
  if (status === 403) return "This account lacks a permission. docs/opensearch.md lists those that are needed."
  if (status >= 300 && status < 400) return "It redirects, and redirects are not followed. Give the final address."
  if (status === 400 || status === 405) {
    const [other, versions] =
      kind === "opensearch"
        ? ["elasticsearch", "OpenSearch 2.4 or later is needed"]
        : ["opensearch", "Elasticsearch 7.10 or later is needed"]
    return `${versions}. For the other kind of cluster write ${other}://. If there is a --filter, check it.`
  }
  return "Look at the log of the cluster, then try again."
}

/** The error for an answer that cannot be used. */
export const badAnswer = ({ name }: ClusterAddress, what: string): QueryveilError =>
  new QueryveilError("cluster-answer", `${name}: ${what}`, { file: name })

/** The name of the server's error, such as `index_not_found_exception`; undefined if there is none. */
export const errorType = (body: unknown): string | undefined => nameOfError(memberOf(body, "error"))

/** The name of an error in an answer, of a request or of one of its items. The rest of it may contain text of a log. */
export function nameOfError(error: unknown): string | undefined {
  const [cause] = [memberOf(error, "root_cause")].flat()
  const type = memberOf(cause, "type") ?? memberOf(error, "type")
  return typeof type === "string" && /^[a-z_]{1,80}$/.test(type) ? type : undefined
}

/** A member of a JSON value that came from outside; undefined if the value is no object or lacks it. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}
