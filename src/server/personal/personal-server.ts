import type { PersonalProxy } from "../../personal/proxy/personal-proxy.ts"
import { type LocalServer, listenLocally } from "../frame/listen-locally.ts"
import { localApp } from "../frame/local-app.ts"
import { hostOf } from "../frame/own-pages.ts"
import { builtPage, readPage } from "../frame/page-files.ts"
import { openSearchDescription } from "./opensearch-description.ts"
import { addPersonalApi } from "./personal-api.ts"

/** Where the searcher's own page is served, and the token it requires. */
export interface PersonalServerOptions {
  host?: string
  port: number
  token: string
  /** The name of the taxonomy, for display. */
  taxonomy: string
  /** Folder of the built page (default: the one in the package). */
  page?: string
}

const placeholder = `<!doctype html><html lang="en"><meta charset="utf-8"><title>queryveil</title>
<p>The page was not built with this package. The API answers: see docs/personal-proxy.md.</p></html>
`

/**
 * Serves the page and the API of one person on their own machine. It answers only under the machine's own name and to
 * no page of another origin. Everything about the person requires the token. The page's files are open: they are the
 * same for everybody.
 */
export async function openPersonal(proxy: PersonalProxy, options: PersonalServerOptions): Promise<LocalServer> {
  const { host = "127.0.0.1", port, token } = options
  const files = await readPage(options.page ?? builtPage("personal"))
  const page = files.get("/") ?? { type: "text/html; charset=utf-8", bytes: Buffer.from(placeholder) }
  const app = localApp({
    callers: "own page",
    token,
    page: new Map([...files, ["/", page], ["/search", page]]),
    open: ["/opensearch.xml"],
    anyOrigin: ["/opensearch.xml"], // a browser's own fetch of the description may come from any origin
    refusals: {
      foreign: "Only its own page may use this address.",
      token: "The token is missing or wrong. Open the address that queryveil printed when it started.",
    },
    statuses: {
      "option-value": 400,
      "input-empty": 400,
      "input-rows": 400,
      "input-unreadable": 400,
      "topics-broken": 409,
      "profile-changed": 409,
      "unknown-name": 404,
      "output-full": 507,
    },
  })
  app.get("/opensearch.xml", (request, reply) =>
    reply
      .type("application/opensearchdescription+xml; charset=utf-8")
      .send(openSearchDescription(`http://${hostOf(request)}:${request.socket.localPort}`)),
  )
  addPersonalApi(app, proxy, { taxonomy: options.taxonomy })
  return listenLocally(app, { host, port })
}
