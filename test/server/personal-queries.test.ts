import { describe, expect, test } from "vitest"
import { parseEngine } from "#dist/personal/engines/parse-engine.js"
import { sampleTree } from "../personal/sample-tree.ts"
import { fakeEngine, sendJson } from "../support/fake-engine.ts"
import { servePerson } from "./personal-person.ts"

const searcher = await sampleTree().searcher()
const settings = (api: Awaited<ReturnType<typeof servePerson>>["api"], body: object) =>
  api("/api/settings", { method: "PUT", body })

async function serveWithEngine() {
  const { origin, received } = await fakeEngine(sendJson({ results: [] }))
  const engine = parseEngine(`queryveil=${origin}`)
  const served = await servePerson({ searcher, engines: [engine] })
  await settings(served.api, { engine: engine.name, learning: false })
  return { ...served, received, shown: () => received.map(({ body }) => "exposure" in JSON.parse(body)) }
}

describe("a query about a marked topic", () => {
  test("is held if the person wants to be asked: nothing is sent, learned or recorded", async () => {
    const { api, received, shown, proxy } = await serveWithEngine()
    expect(await settings(api, { sensitiveQueries: "ask", learning: true })).toMatchObject({ sensitiveQueries: "ask" })
    const asked = await api("/api/search", { body: { query: "adults" } })
    expect(asked).toMatchObject({ results: [], sent: false, learned: null })
    expect(asked.held).toEqual({ why: "sensitive", choices: ["without-profile", "send"] })
    expect(asked.about).toEqual([{ path: "Adults", name: "Adults", share: 1 }])
    expect(received).toEqual([])
    expect(proxy.store.history.accounts.observers).toEqual([])
    expect((await api("/api/search", { body: { query: "owls giants" } })).held).toBeUndefined()
    const bird = { query: "eagles", choice: "without-profile" }
    expect(await api("/api/search", { body: bird })).toMatchObject({ sent: false, decision: "nothing" })
    expect(await api("/api/search", { body: { ...bird, choice: "send" } })).toMatchObject({ sent: true })
    expect(shown().slice(-2)).toEqual([false, true])
    expect(await api("/api/search", { body: { ...bird, choice: "ask" } })).toMatchObject({ status: 400 })
  })

  test("is sent without the profile, or like any other, if the person chose that", async () => {
    const { api, shown } = await serveWithEngine()
    await settings(api, { sensitiveQueries: "without-profile" })
    expect(await api("/api/search", { body: { query: "eagles" } })).toMatchObject({ sent: false })
    await settings(api, { sensitiveQueries: "send" })
    expect(await api("/api/search", { body: { query: "eagles" } })).toMatchObject({ sent: true })
    expect(shown()).toEqual([false, true])
  })

  test("is also held for a topic marked never show", async () => {
    const { api, received } = await serveWithEngine()
    await settings(api, { sensitiveQueries: "ask" })
    await api("/api/never", { method: "PUT", body: { path: "Arts/Music", never: true } })
    expect((await api("/api/search", { body: { query: "harmonica" } })).held).toBeDefined()
    expect(received).toEqual([])
  })
})

describe("what queries tell", () => {
  test("is counted apart from the risk of what was shown, also for engines that accept no profile", async () => {
    const { origin } = await fakeEngine(sendJson({ results: [] }))
    const engine = parseEngine(`searxng=${origin}`)
    const { api } = await servePerson({ searcher, engines: [engine] })
    const found = await api("/api/search", { body: { query: "adults", engine: engine.name } })
    // Adults weigh 1 of 1.5.
    expect(found).toMatchObject({ lifetimeRisk: 0, queryRisk: expect.closeTo(2 / 3, 12) })
    const [, told] = (await api("/api/state")).engines
    expect(told).toMatchObject({ lifetimeRisk: 0, queryRisk: expect.closeTo(2 / 3, 12) })
  })

  test("is compared with its bound, if there is one", async () => {
    const { api, received } = await serveWithEngine()
    await settings(api, { queryDelta: 0.5 })
    const asked = await api("/api/search", { body: { query: "adults" } })
    expect(asked.held).toEqual({ why: "query-delta", choices: ["without-profile"] })
    expect(received).toEqual([])
    await api("/api/search", { body: { query: "adults", choice: "without-profile" } })
    expect(received).toHaveLength(1)
    // The engine knows it now, so nothing of the profile is sent with later queries.
    const later = await api("/api/search", { body: { query: "owls giants" } })
    expect(later).toMatchObject({ sent: false, decision: "nothing", queryRisk: expect.closeTo(2 / 3, 12) })
    expect(later.held).toBeUndefined()
  })
})
