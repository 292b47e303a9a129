import type { PersonalProxy } from "../../personal/proxy/personal-proxy.ts"
import { isLoopback } from "../../stream/address.ts"
import { type LocalServer, listenLocally } from "../http/listen-locally.ts"
import { guards, isForeign } from "../http/own-pages.ts"
import { builtPage, readPage } from "../http/page-files.ts"
import { hostOf } from "../http/subscription-route.ts"
import { tokenCheck } from "../http/tokens.ts"
import { localApp, refuseAs } from "./local-app.ts"
import { openSearchDescription } from "./opensearch-description.ts"
import { addPersonalApi } from "./personal-api.ts"

/** Where the searcher's own page is served, and the token it asks for. */
export interface PersonalServerOptions {
  host?: string
  port: number
  token: string
  /** The name of the taxonomy, for people. */
  taxonomy: string
  /** Where the built page is, if not where the package has it. */
  page?: string
}

const placeholder = `<!doctype html><html lang="en"><meta charset="utf-8"><title>queryveil</title>
<p>The page was not built with this package. The API answers: see docs/personal-proxy.md.</p></html>
`

/**
 * The page and the API of one person, on their own machine: under its own name only, for no page of another origin, and all that
 * says something of the person with the token only. The page's files are open: they are the same for everybody.
 */
export async function openPersonal(proxy: PersonalProxy, options: PersonalServerOptions): Promise<LocalServer> {
  const { host = "127.0.0.1", port, token } = options
  const app = localApp()
  const knows = tokenCheck([token])
  const files = await readPage(options.page ?? builtPage("personal"))
  const open = new Set(["/", "/search", "/opensearch.xml", ...files.keys()])
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(guards)
    const { url } = request.routeOptions
    // A browser's own fetch of the description may look like anything; it says nothing of anybody.
    const isOwn = isLoopback(hostOf(request)) && (url === "/opensearch.xml" || !isForeign(request))
    if (!isOwn) {
      refuseAs(reply, 403, { code: "origin", message: "This address answers to its own page only." })
      return
    }
    // By the route, not by the address: one route has many spellings (%61pi, http://host/api).
    if ((url !== undefined && open.has(url)) || knows(request.headers.authorization)) return done()
    const message = "The token is missing or wrong. Open the address that queryveil printed when it started."
    refuseAs(reply, 403, { code: "token", message })
  })
  const page = files.get("/") ?? { type: "text/html; charset=utf-8", bytes: Buffer.from(placeholder) }
  for (const [path, { type, bytes }] of files) {
    if (path !== "/") app.get(path, (_request, reply) => reply.type(type).send(bytes))
  }
  for (const path of ["/", "/search"]) app.get(path, (_request, reply) => reply.type(page.type).send(page.bytes))
  app.get("/opensearch.xml", (request, reply) =>
    reply
      .type("application/opensearchdescription+xml; charset=utf-8")
      .send(openSearchDescription(`http://${hostOf(request)}:${request.socket.localPort}`)),
  )
  addPersonalApi(app, proxy, { taxonomy: options.taxonomy })
  return listenLocally(app, { host, port })
}
