import type { FastifyRequest } from "fastify"

/** Headers of every answer: cache nothing, guess no types, load nothing from elsewhere, allow no frames. */
export const guards = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
}

/** True for a request from a page of another origin, or from one that another site has opened. */
export function isForeign({ headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"]
  if (site === "cross-site" || site === "same-site") return true
  const { origin, host } = headers
  return origin !== undefined && origin !== `http://${host}`
}

/** The host that the request is addressed to, without the port. */
export function hostOf({ headers }: Pick<FastifyRequest, "headers">): string {
  const host = headers.host ?? ""
  return /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, "")
}
