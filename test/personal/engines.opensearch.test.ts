import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { parseEngine } from "#dist/personal/engines/parse-engine.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { missingServer, SearchServer, type ServerKind } from "../../bench/search-server.ts"
import { servePerson } from "../server/personal-person.ts"
import { recordingProxy } from "../support/recording-proxy.ts"
import { sampleTree } from "./sample-tree.ts"

const searcher = await sampleTree().searcher()

/** A document for each noun of WordNet: its name, a link, and its gloss. */
async function glosses() {
  const taxonomy = await openTaxonomy("wordnet", {}, createContext())
  return Array.from({ length: taxonomy.size }, (_, id) => ({
    title: taxonomy.name(id).replaceAll("_", " "),
    url: `https://en-word.net/lemma/${encodeURIComponent(taxonomy.name(id))}`,
    content: taxonomy.text(id),
  })).filter(({ content }) => content !== "")
}

describe.each<ServerKind>(["opensearch", "elasticsearch"])("personal search on an index of %s", (kind) => {
  const isMissing = missingServer(kind) !== undefined
  let server: SearchServer
  beforeAll(async () => {
    if (isMissing) return
    server = await SearchServer.start(kind)
    await server.createIndex("glosses", { properties: { url: { type: "keyword" } } })
    await server.addDocuments("glosses", await glosses())
  })
  afterAll(() => server?.stop())

  test.skipIf(isMissing)("finds what it was asked for, and ranks it at home", async () => {
    const engine = parseEngine(`${kind}=${server.url}/glosses`)
    const { api } = await servePerson({ searcher, engines: [engine] })
    const found = await api("/api/search", { body: { query: "eagles and other birds of prey", engine: engine.name } })
    expect(found.problem).toBeUndefined()
    expect(found.results.length).toBeGreaterThan(10)
    expect(JSON.stringify(found.results)).toMatch(/bird of prey/)
    expect(found.results[0].url).toMatch(/^https:\/\/en-word\.net\/lemma\//)
  })

  test.skipIf(isMissing)("sends the words and nothing of the profile, as the page says", async () => {
    const proxy = await recordingProxy(server.port)
    const engine = parseEngine(`${kind}=http://127.0.0.1:${proxy.port}/glosses`)
    const { api } = await servePerson({ searcher, engines: [engine] })
    for (const query of ["eagles", "owls & giants", "figure skating", "adults"]) {
      const told = await api("/api/search", { body: { query, engine: engine.name } })
      expect({ sent: told.sent, problem: told.problem }).toEqual({ sent: false, problem: undefined })
      const [request, ...more] = proxy.take()
      expect(more).toEqual([])
      expect(request?.line).toBe("POST /glosses/_search")
      expect(JSON.parse(request?.body ?? "")).toEqual({
        size: expect.any(Number),
        query: { multi_match: { query: told.query, fields: ["title^2", "content"] } },
        _source: ["title", "url", "content"],
      })
      expect(told.query).toBe(query)
      const { host, "content-length": length, ...headers } = request?.headers ?? {}
      expect(host).toBe(`127.0.0.1:${proxy.port}`)
      expect(Number(length)).toBe(Buffer.byteLength(request?.body ?? ""))
      // The same for everybody and for every query: no cookie, no referrer, no name.
      expect(headers).toEqual({
        accept: "application/json",
        "accept-encoding": expect.any(String),
        "accept-language": "en",
        connection: "keep-alive",
        "content-type": "application/json",
        "sec-fetch-mode": "cors",
        "user-agent": "queryveil",
      })
    }
  })
})
