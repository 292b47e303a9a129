import { readFileSync, statSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { parseEngine } from "#dist/personal/engines/parse-engine.js"
import { mostUploaded } from "#dist/personal/import/read-history.js"
import { sampleTree } from "../personal/sample-tree.ts"
import { fakeEngine, sendJson } from "../support/fake-engine.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { servePerson, token } from "./personal-person.ts"

const searcher = await sampleTree().searcher()
const { taxonomy } = searcher
const { fresh } = scratchFolder()
const engineAt = (name: string) => `/api/engines?name=${encodeURIComponent(name)}`
const results = { results: [{ title: "Eagles", url: "https://e.example/", content: "raptor" }] }

describe("an engine added on the page", () => {
  test("is used, and is still there after a restart, stored only in the encrypted profile", async () => {
    const { origin, host, received } = await fakeEngine(sendJson(results))
    const path = fresh()
    const first = await servePerson({ path, searcher })
    const name = `searxng ${host}`
    const url = `${origin}/a-path-that-nobody-sees/`
    const added = await first.api("/api/engines", { body: { kind: "searxng", url } })
    expect(added).toMatchObject({ status: 200, name, state: { engine: "built-in" } })
    expect(added.state.engines.at(-1)).toMatchObject({ name, kind: "searxng", added: true, acceptsExposure: false })
    expect(received).toEqual([])
    expect(await first.api("/api/engines/try", { body: { name } })).toMatchObject({ query: "weather", results: 1 })
    expect(received.map((one) => one.url)).toEqual(["/a-path-that-nobody-sees/search?q=weather&format=json"])
    await first.api("/api/settings", { method: "PUT", body: { engine: name } })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path).includes(host)).toBe(false)
    const second = await servePerson({ path, searcher })
    expect(await second.api("/api/state")).toMatchObject({ engine: name })
    expect(await second.api("/api/search", { body: { query: "eagles" } })).toMatchObject({ engine: name, sent: false })
    for (const address of ["/api/state", "/api/history/export"])
      expect(JSON.stringify(await second.list(address))).not.toContain("a-path-that-nobody-sees")
    expect(await second.api(engineAt(name), { method: "DELETE" })).toMatchObject({
      status: 200,
      engine: "built-in",
      engines: [{ name: "built-in", added: false }],
    })
    expect(await second.api("/api/engines/try", { body: { name } })).toMatchObject({ status: 404 })
  })

  test("passes the checks of the command line, and a refusal does not repeat it", async () => {
    const { api } = await servePerson({ searcher })
    const refused = [
      ["bing", "https://qqsecretqq.example"],
      ["built-in", "https://qqsecretqq.example"],
      ["__proto__", "https://qqsecretqq.example"],
      ["searxng", ""],
      ["searxng", "qqsecretqq"],
      ["searxng", "file:///etc/qqsecretqq"],
      ["searxng", "http://qqsecretqq.example"],
      ["searxng", "http://169.254.169.254/qqsecretqq"],
      ["searxng", "http://10.0.0.1/qqsecretqq"],
      ["searxng", "http://127.0.0.1.qqsecretqq.example"],
      ["searxng", "http://localhost@qqsecretqq.example"],
      ["searxng", "https://me:qqsecretqq@a.example"],
      ["searxng", "https://a.example/?key=qqsecretqq"],
      ["opensearch", "https://a.example/pages?title=t&key=qqsecretqq"],
      ["queryveil", "https://a.example\nsearxng=http://qqsecretqq.example?"],
    ] as const
    for (const [kind, url] of refused) {
      expect(() => parseEngine(`${kind}=${url}`)).toThrowError(expect.objectContaining({ code: "option-value" }))
      const answer = await api("/api/engines", { body: { kind, url } })
      expect([kind, url, answer.status, answer.code]).toEqual([kind, url, 400, "option-value"])
      expect(answer.message).not.toContain("qqsecretqq")
    }
    expect((await api("/api/state")).engines).toHaveLength(1)
  })

  test("is not added twice, and engines of the command line cannot be removed", async () => {
    const { origin, host } = await fakeEngine(sendJson(results))
    const { api } = await servePerson({ searcher, engines: [parseEngine(`searxng=${origin}`)] })
    const again = await api("/api/engines", { body: { kind: "searxng", url: origin } })
    expect(again).toMatchObject({ status: 400, message: expect.stringMatching(/already/) })
    for (const name of ["built-in", `searxng ${host}`, "nothing"])
      expect(await api(engineAt(name), { method: "DELETE" })).toMatchObject({ status: 404 })
    expect((await api("/api/state")).engines).toHaveLength(2)
  })

  test("that does not answer says why, and at most twenty can be added", async () => {
    const { origin, host } = await fakeEngine((_received, response) => response.end("<html>"))
    const { api } = await servePerson({ searcher })
    await api("/api/engines", { body: { kind: "searxng", url: origin } })
    expect(await api("/api/engines/try", { body: { name: `searxng ${host}` } })).toMatchObject({
      status: 200,
      results: 0,
      problem: { code: "engine-answer" },
    })
    for (let i = 1; i < 20; i++)
      expect((await api("/api/engines", { body: { kind: "queryveil", url: `https://e${i}.example` } })).status).toBe(
        200,
      )
    expect(await api("/api/engines", { body: { kind: "queryveil", url: "https://more.example" } })).toMatchObject({
      status: 400,
      message: expect.stringMatching(/Remove one/),
    })
  })
})

describe("an uploaded history", () => {
  const bytes = { "content-type": "application/octet-stream" }
  const csv = [
    "url,title,time",
    ...Array(3).fill("https://e.example/,Harmonica blues,1700000000"),
    "https://z.example/,zzzz,1700000000",
    "",
  ].join("\n")

  test("is learned, survives a restart, and leads to new proposals of sensitive topics", async () => {
    const path = fresh()
    const first = await servePerson({ path, searcher })
    await first.api("/api/proposals", { body: { mark: [] } })
    const answer = await first.api("/api/import", { body: csv, headers: bytes })
    expect(answer).toMatchObject({ status: 200, documents: 4, placed: 3, state: { profile: { searches: 20 } } })
    const second = await servePerson({ path, searcher })
    const harmonica = taxonomy.find("Arts/Music/Instrument/Harmonica")
    const day = [...second.proxy.store.interests.days()].find(({ day }) => day === Math.floor(1_700_000_000 / 86_400))
    expect(day?.topics).toEqual([[harmonica, 3]])
    expect(second.proxy.store.settings).not.toHaveProperty("proposed")
  })

  test("that is empty or not a history is refused and changes nothing", async () => {
    const { api, proxy } = await servePerson({ searcher })
    const before = proxy.store.interests.profile().size
    const refused: [body: string, message: RegExp][] = [
      [" ", /empty/],
      ["qqsecretqq,b\n1,2\n", /no searches or pages/],
      ['[{"title":"qqsecretqq"', /not complete JSON/],
      ['{"time":"qqsecretqq"}', /line 1/],
    ]
    for (const [body, message] of refused) {
      const answer = await api("/api/import", { body, headers: bytes })
      expect([body, answer.status]).toEqual([body, 400])
      expect(answer.message).toMatch(message)
      expect(answer.message).not.toContain("qqsecretqq")
    }
    expect(proxy.store.interests.profile().size).toBe(before)
  })

  test("is sent as bytes, never as a path, with the token, and within the limit", async () => {
    const { ask, api } = await servePerson({ searcher })
    const json = { "content-type": "application/json" }
    expect((await api("/api/import", { body: { path: "/etc/hosts" }, headers: json })).status).toBe(400)
    expect((await api("/api/import", { body: csv, headers: { "content-type": "text/csv" } })).status).toBe(415)
    expect((await ask("/api/import", { body: csv, headers: bytes })).status).toBe(403)
    // Refused by its announced length: nothing of it is read.
    const announced = { ...bytes, authorization: `Bearer ${token}`, "content-length": String(mostUploaded + 1) }
    const large = await ask("/api/import", { body: "", headers: announced })
    expect(large).toMatchObject({ status: 413, text: expect.stringMatching(/too large/) })
    // Other routes keep their own limit, and accept no bytes.
    const search = await ask("/api/search", {
      body: "x".repeat(1 << 17),
      headers: { authorization: `Bearer ${token}` },
    })
    expect(search.status).toBe(413)
    expect((await api("/api/search", { body: "eagles", headers: bytes })).status).toBe(415)
  })
})

describe("the topic search of the page", () => {
  test("finds topics of the whole taxonomy, with their paths, marks and supports in the profile", async () => {
    const { ask } = await servePerson({ searcher })
    const find = async (text: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return JSON.parse((await ask("/api/topics/find", { body: { text }, headers })).text)
    }
    expect(await find("eagles")).toMatchObject([
      { path: "Sports/Football/Eagles", name: "Eagles", support: 6, sensitive: 0, never: false },
      { path: "Science/Birds/Eagles", support: 2, sensitive: 0.5 },
      { path: "Arts/Music/Artists/Eagles", support: 0, text: expect.stringMatching(/rock band/) },
    ])
    expect(await find("zzz")).toEqual([])
    expect((await ask("/api/topics/find", { body: { text: "eagles" } })).status).toBe(403)
  })
})
