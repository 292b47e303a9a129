import type { FastifyInstance } from "fastify"
import { Type, Value } from "#typebox"
import type { SearchEngine } from "../../personal/engines/engine.ts"
import { type LocalServer, listenLocally } from "../frame/listen-locally.ts"
import { localApp, refuseAs } from "../frame/local-app.ts"

const searchBody = Type.Object({
  query: Type.String({ minLength: 1, maxLength: 1000 }),
  exposure: Type.Optional(Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 4096 })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
})
const standardCount = 50

/**
 * The engine's side of Shou et al. 2014, Fig. 1, to try the loop and as a pattern for other engines. It takes a query
 * with an exposure and ranks by it. It keeps nothing and logs nothing. Paths that its taxonomy does not have are
 * ignored.
 */
export async function openEngineServer(
  engine: SearchEngine,
  { host = "127.0.0.1", port }: { host?: string; port: number },
): Promise<LocalServer> {
  const app = localApp({
    callers: "programs",
    refusals: { foreign: "This engine answers programs on this machine only." },
  })
  addSearch(app, engine)
  return listenLocally(app, { host, port })
}

function addSearch(app: FastifyInstance, engine: SearchEngine): void {
  const { signal } = new AbortController() // the built-in engine answers at once
  app.post("/search", async ({ body }, reply) => {
    if (!Value.Check(searchBody, body))
      return refuseAs(reply, 400, { code: "usage", message: "Give a JSON object with query, exposure and count." })
    const { query, exposure = [], count = standardCount } = body
    const found = await engine.search(query, { signal, count, exposure: { paths: exposure } })
    return {
      personalised: exposure.length > 0,
      results: found.map(({ title, url, snippet, before }, i) => ({
        title,
        url,
        content: snippet,
        before: before ?? i + 1,
      })),
    }
  })
}
