import { mkdirSync, readFileSync } from "node:fs"
import { afterAll, describe, expect, test } from "vitest"
import { builtIn } from "#dist/personal/engines/built-in.js"
import { parseEngine } from "#dist/personal/engines/parse-engine.js"
import { ProfileFile } from "#dist/personal/profile-file.js"
import { openEngineServer } from "#dist/server/personal/engine-server.js"
import { verifyExposures } from "#dist/verify/exposures.js"
import { overall } from "#dist/verify/verifier.js"
import { sampleTree } from "../personal/sample-tree.ts"
import { fakeEngine, sendJson } from "../support/fake-engine.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { passphrase, servePerson, token } from "./personal-person.ts"

const searcher = await sampleTree().searcher()
const { taxonomy } = searcher
const { fresh, at, write } = scratchFolder()
const reopen = (path: string) => ProfileFile.open(path, { passphrase, taxonomy })
const bearer = { authorization: `Bearer ${token}` }

describe("the address of the personal server", () => {
  test("reveals nothing about the person without the token", async () => {
    const { ask } = await servePerson({ searcher })
    const open = ["/", "/search?q=eagles", "/opensearch.xml"]
    for (const path of open) expect((await ask(path)).status).toBe(200)
    for (const path of [
      "/api/state",
      "/api/history",
      "/api/history/export",
      "/api/topics",
      "/api/days",
      "/api/nothing",
      "/%61pi/state",
      "/%61pi/history/export",
      "http://127.0.0.1/api/state",
      "/nothing",
    ]) {
      expect((await ask(path)).status).toBe(403)
      expect((await ask(path, { headers: { authorization: "Bearer another" } })).status).toBe(403)
    }
    const asked = await ask("/api/search", { body: { query: "eagles" } })
    expect(asked.status).toBe(403)
    expect(Object.keys(JSON.parse(asked.text))).toEqual(["message", "code"])
  })

  test("refuses other names and other origins, with or without the token", async () => {
    const { ask, port } = await servePerson({ searcher })
    const foreign: Record<string, string>[] = [
      { host: "rebound.example" },
      { origin: "https://shop.example" },
      { origin: "http://127.0.0.1:1" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ]
    for (const headers of foreign) {
      for (const path of ["/api/state", "/", "/search?q=planted"])
        expect((await ask(path, { headers: { ...bearer, ...headers } })).status).toBe(403)
    }
    const own = { ...bearer, origin: `http://127.0.0.1:${port}`, "sec-fetch-site": "same-origin" }
    expect((await ask("/api/state", { headers: own })).status).toBe(200)
  })

  test("serves the page at / and for a browser's searches; it may load nothing from other origins", async () => {
    mkdirSync(at("page", "assets"), { recursive: true })
    write("<!doctype html>", "page/index.html")
    write("run()", "page/assets/a.js")
    const { ask, port } = await servePerson({ searcher, page: at("page") })
    for (const path of ["/", "/search?q=eagles"]) {
      const { text, headers } = await ask(path)
      expect(text).toBe("<!doctype html>")
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'/)
      expect(headers["referrer-policy"]).toBe("no-referrer")
    }
    expect((await ask("/assets/a.js")).text).toBe("run()")
    const description = await ask("/opensearch.xml")
    expect(description.headers["content-type"]).toMatch(/^application\/opensearchdescription\+xml/)
    expect(description.text).toContain(`template="http://127.0.0.1:${port}/search?q={searchTerms}"`)
    expect(description.text).not.toContain(token)
  })

  test("refuses requests that the API does not have, without repeating them", async () => {
    const { ask } = await servePerson({ searcher })
    const unreadable = await ask("/qqsecretqq%zz")
    expect(unreadable).toMatchObject({ status: 400, text: expect.not.stringContaining("qqsecretqq") })
    expect(unreadable.headers).toHaveProperty("content-security-policy")
    const wrong: [path: string, method: string, body: unknown][] = [
      ["/api/search", "POST", "{qqsecretqq"],
      ["/api/search", "POST", {}],
      ["/api/search", "POST", { query: "", delta: 0.1 }],
      ["/api/search", "POST", { query: "qqsecretqq", delta: 2 }],
      ["/api/preview", "POST", { query: "qqsecretqq".repeat(200) }],
      ["/api/settings", "PUT", { delta: -1 }],
      ["/api/settings", "PUT", { token: "qqsecretqq" }],
      ["/api/forget", "POST", { day: "qqsecretqq" }],
      ["/api/history?day=qqsecretqq", "DELETE", {}],
    ]
    for (const [path, method, body] of wrong) {
      const { status, text } = await ask(path, { method, body, headers: bearer })
      expect([path, status]).toEqual([path, 400])
      expect(text).not.toContain("qqsecretqq")
    }
    const unknown = await ask("/api/search", { body: { query: "x", engine: "qqsecretqq" }, headers: bearer })
    expect(unknown.status).toBe(404)
    expect(unknown.text).not.toContain("qqsecretqq")
  })
})

describe("a search", () => {
  test("reports what is sent with the query and why, and both orders of the results", async () => {
    const { api } = await servePerson({ searcher })
    const found = await api("/api/search", { body: { query: "eagles band" } })
    expect(found).toMatchObject({ status: 200, decision: "exposed", engine: "built-in", sent: true, delta: 0.2 })
    expect(found.exposure).toContain("Sports/Football/Eagles")
    expect(found.exposure).not.toContain("")
    expect(found.exposure).not.toContain("Science/Birds/Eagles") // sensitive
    expect(found.warning).toMatch(/sensitive/)
    expect(found.risk).toBeLessThanOrEqual(0.2)
    expect(found.utility).toBeCloseTo(found.dp - found.dpWithout, 12)
    const [root] = found.seed
    expect(root).toMatchObject({ path: "", parent: -1, share: 1, exposed: true })
    const birds = found.seed.find(({ path }: { path: string }) => path === "Science/Birds/Eagles")
    expect(birds).toMatchObject({ exposed: false, sensitive: 0.5, relevant: true, name: "Eagles" })
    expect(found.seed[birds.parent].path).toBe("Science/Birds")
    const places = (list: { rank: number; before: number }[], key: "rank" | "before") => list.map((one) => one[key])
    const inOrder = found.results.map((_: unknown, i: number) => i + 1)
    expect(inOrder.length).toBeGreaterThan(2)
    expect(places(found.results, "rank")).toEqual(inOrder)
    expect(places(found.original, "before")).toEqual(inOrder)
    // The team and birds are in the profile, the band is not.
    expect(places(found.results, "before")).toEqual([2, 3, 4, 1, 5])
    expect(found.original[0]).toMatchObject({ title: "Eagles", topic: "Arts/Music/Artists/Eagles", rank: 4 })
  })

  test("is ranked again on this machine by the whole profile, unless the person wants the engine's order", async () => {
    const { api } = await servePerson({ searcher })
    const search = () => api("/api/search", { body: { query: "eagles band" } })
    const orderOf = ({ results }: { results: { before: number }[] }) => results.map(({ before }) => before)
    const again = await search()
    await api("/api/settings", { method: "PUT", body: { rerank: false } })
    const asRanked = await search()
    expect([orderOf(again), orderOf(asRanked)]).toEqual([
      [2, 3, 4, 1, 5],
      [2, 3, 1, 4, 5], // birds and the team are below what was shown, the band is not
    ])
    expect(asRanked.exposure).toEqual(again.exposure)
  })

  test("is decided by the settings: μ, the stop at no gain, and the denominator of the query's DP", async () => {
    const { api } = await servePerson({ searcher })
    const outcome = async (settings: Record<string, unknown>, query = "owls") => {
      const state = await api("/api/settings", { method: "PUT", body: settings })
      expect(state).toMatchObject(settings)
      const { decision, dpWithout } = await api("/api/preview", { body: { query } })
      return { decision, dpWithout }
    }
    expect(await outcome({ decision: "gain", mu: 0.82 })).toEqual({ decision: "nothing", dpWithout: 1 })
    expect(await outcome({ decision: "off", algorithm: "il" })).toMatchObject({ decision: "exposed" })
    expect(await outcome({ decision: "mu", mu: 1 })).toMatchObject({ decision: "nothing" })
    const [byQuery, byProfile] = [
      await outcome({ denominator: "query" }, "eagles"),
      await outcome({ denominator: "profile" }, "eagles"),
    ]
    expect(byProfile.dpWithout).not.toBeCloseTo(byQuery.dpWithout, 3)
    const wrong = await api("/api/settings", { method: "PUT", body: { algorithm: "optimal" } })
    expect(wrong.status).toBe(400) // it may take for ever
  })

  test("is previewed as it would be decided, and leaves no trace", async () => {
    const path = fresh()
    const { api, list } = await servePerson({ path, searcher })
    const before = readFileSync(path)
    const previews = await Promise.all(
      [0, 0.2, 1].map((delta) => api("/api/preview", { body: { query: "eagles", delta } })),
    )
    expect(previews.map(({ decision }) => decision)).toEqual(["nothing", "exposed", "exposed"])
    expect(previews[0].reason).toMatch(/at risk/)
    expect(previews[2].exposure.length).toBeGreaterThan(previews[1].exposure.length)
    expect((await list("/api/history")).entries).toEqual([])
    expect(readFileSync(path).equals(before)).toBe(true)
    const found = await api("/api/search", { body: { query: "eagles", delta: 0.2 } })
    expect({ ...previews[1], status: 200 }).toEqual(
      Object.fromEntries(Object.keys(previews[1]).map((key) => [key, found[key]])),
    )
  })

  test("to an engine that is down, slow or not an engine answers why", async () => {
    const { origin } = await fakeEngine((_received, response) => response.end("<html>"))
    const engine = parseEngine(`searxng=${origin}`)
    const { api } = await servePerson({ searcher, engines: [engine] })
    const found = await api("/api/search", { body: { query: "eagles", engine: engine.name } })
    expect(found).toMatchObject({
      status: 200,
      results: [],
      original: [],
      sent: false,
      problem: { code: "engine-answer" },
    })
  })
})

describe("what reaches an engine", () => {
  const results = ["rock band guitar songs", "football team quarterback touchdown", "raptor talons nest", "weather"]
  const answer = sendJson({
    results: results.map((content) => ({ title: "Eagles", url: "https://e.example/", content })),
  })

  test("that accepts no exposures is the query and nothing else; results are ranked on this machine", async () => {
    const { origin, received } = await fakeEngine(answer)
    const engine = parseEngine(`searxng=${origin}`)
    const { api, proxy } = await servePerson({ searcher, engines: [engine] })
    const found = await api("/api/search", { body: { query: "eagles", engine: engine.name, delta: 1 } })
    expect(found).toMatchObject({ sent: false, decision: "exposed" })
    expect(found).not.toHaveProperty("problem")
    expect(found.results[0]).toMatchObject({ snippet: "football team quarterback touchdown", rank: 1, before: 2 })
    expect(found.original.map(({ snippet }: { snippet: string }) => snippet)).toEqual(results)
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({ url: "/search?q=eagles&format=json", body: "" })
    expect(Object.keys(received[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "accept-encoding",
      "accept-language",
      "connection",
      "host",
      "sec-fetch-mode",
      "user-agent",
    ])
    expect(proxy.store.history.records).toEqual([]) // nothing was shown
  })

  test("that accepts them is the exposure that was recorded before, within δ, over fifty queries", async () => {
    const path = fresh()
    const atArrival: Buffer[] = []
    const { origin, received, host } = await fakeEngine((one, response) => {
      atArrival.push(readFileSync(path))
      answer(one, response)
    })
    const engine = parseEngine(`queryveil=${origin}`)
    const { api } = await servePerson({ path, searcher, engines: [engine] })
    await api("/api/settings", { method: "PUT", body: { learning: false } })
    const atFirst = readFileSync(path)
    const words = ["eagles", "owls giants", "figure piano", "adults eagles", "queen speed", "eagles ice skating"]
    for (let i = 0; i < 50; i++) {
      const query = `${words[i % words.length]}${i % 5 === 0 ? " music" : ""}`
      await api("/api/search", { body: { query, engine: engine.name, delta: 0.1 * (1 + (i % 4)) } })
    }
    expect(received).toHaveLength(50)
    const sent = received.flatMap(({ body, headers }) => {
      const { exposure, ...rest } = JSON.parse(body)
      expect(Object.keys(rest)).toEqual(["query", "count"])
      expect(headers["x-queryveil-exposure"]).toBe(exposure === undefined ? undefined : "paths; version=1")
      return exposure === undefined ? [] : [exposure]
    })
    const { store } = await reopen(path) // from the disk
    expect(sent.length).toBeGreaterThan(5)
    expect(store.history.records.map(({ exposed }) => exposed)).toEqual(sent)
    expect(store.history.records.every((record) => record.engine === host && record.session === "2026-03-04")).toBe(
      true,
    )
    expect(overall(verifyExposures({ taxonomy, history: store.history }))).toBe("passed")
    // The file was rewritten before each exposure arrived, and for nothing else.
    const isNew = atArrival.map((bytes, i) => !bytes.equals(atArrival[i - 1] ?? atFirst))
    expect(isNew).toEqual(received.map(({ body }) => body.includes('"exposure"')))
  })

  test("is nothing if the exposure cannot be recorded first", async () => {
    const { origin, received } = await fakeEngine(answer)
    const engine = parseEngine(`queryveil=${origin}`)
    const path = fresh()
    const first = await servePerson({ path, searcher, engines: [engine] })
    const second = await servePerson({ path, searcher, engines: [engine] })
    const asked = { body: { query: "eagles", engine: engine.name } }
    expect(await first.api("/api/search", asked)).toMatchObject({ status: 200, sent: true })
    expect(await second.api("/api/search", asked)).toMatchObject({ status: 409, code: "profile-changed" })
    expect(received).toHaveLength(1)
    expect((await reopen(path)).store.history.records).toHaveLength(1)
  })

  test("is nothing if a topic is marked or forgotten while the exposure is being recorded", async () => {
    const { origin, received } = await fakeEngine(answer)
    const engine = parseEngine(`queryveil=${origin}`)
    const { proxy } = await servePerson({ searcher, engines: [engine] })
    const find = () => proxy.find("eagles", { engine: engine.name, signal: new AbortController().signal })
    const meanwhile = [
      () => proxy.mark("Arts/Music", 1),
      () => proxy.forget({ day: "2026-03-04" }),
      async () => {}, // and as usual, if nothing happens
    ]
    const sent: boolean[] = []
    for (const change of meanwhile) sent.push((await Promise.all([find(), change()]))[0].sent)
    expect(sent).toEqual([false, false, true])
    expect(received.map(({ body }) => "exposure" in JSON.parse(body))).toEqual(sent)
  })
})

describe("personal engine", () => {
  test("ranks by the exposure that it receives, and reports the former rank of each result", async () => {
    const server = await openEngineServer(await builtIn(searcher), { port: 0 })
    afterAll(() => server.close())
    const port = server.address.kind === "tcp" ? server.address.port : 0
    const engine = parseEngine(`queryveil=http://127.0.0.1:${port}`)
    const { api } = await servePerson({ searcher, engines: [engine] })
    await api("/api/settings", { method: "PUT", body: { rerank: false } })
    const asked = { query: "eagles band", engine: engine.name }
    const plain = await api("/api/search", { body: { ...asked, delta: 0 } })
    const shown = await api("/api/search", { body: { ...asked, delta: 0.2 } })
    expect([plain.sent, shown.sent]).toEqual([false, true])
    expect(shown.original.map(({ snippet }: { snippet: string }) => snippet)).toEqual(
      plain.results.map(({ snippet }: { snippet: string }) => snippet),
    )
    const orders = [plain, shown].map(({ results }) => results.map((result: { before: number }) => result.before))
    expect(orders).toEqual([
      [1, 2, 3, 4, 5],
      [2, 3, 1, 4, 5],
    ])
    const refused = await fetch(`http://127.0.0.1:${port}/search`, {
      method: "POST",
      headers: { origin: "https://shop.example", "content-type": "application/json" },
      body: JSON.stringify({ query: "x" }),
    })
    expect(refused.status).toBe(403)
    const wrong = { method: "POST", headers: { "content-type": "application/json" }, body: '{"query":7}' }
    expect((await fetch(`http://127.0.0.1:${port}/search`, wrong)).status).toBe(400)
  })
})
