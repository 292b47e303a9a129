import { describe, expect, test } from "vitest"
import { ProfileFile } from "#dist/personal/profile-file.js"
import { sampleTree } from "../personal/sample-tree.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { passphrase, servePerson } from "./personal-person.ts"

const searcher = await sampleTree().searcher()
const { taxonomy } = searcher
const { fresh } = scratchFolder()
const click = { query: "eagles", url: "https://e.example/nest", title: "Eagles", snippet: "large raptor with talons" }

describe("learning from use", () => {
  test("reports what was learned, once for a search and its click, and can undo it", async () => {
    const { api, list } = await servePerson({ searcher })
    const documents = async () => (await api("/api/state")).profile.searches
    const before = await documents()
    expect((await api("/api/search", { body: { query: "harmonica" } })).learned).toBe("Arts/Music/Instrument/Harmonica")
    expect((await api("/api/search", { body: { query: "harmonica", delta: 1 } })).learned).toBeNull() // the same again
    expect((await api("/api/search", { body: { query: "eagles" } })).learned).toBeNull() // may mean anything
    expect(await documents()).toBe(before + 1)
    expect(await api("/api/click", { body: click })).toEqual({ status: 200, learned: "Science/Birds/Eagles" })
    const harp = { ...click, query: "harmonica", title: "blues harp" }
    expect((await api("/api/click", { body: harp })).learned).toBe("Arts/Music/Instrument/Harmonica")
    expect(await documents()).toBe(before + 2) // the click replaced its search
    expect((await list("/api/learned")).map(({ from }: { from: string }) => from)).toEqual(["click", "click"])
    for (const forgotten of ["Arts/Music/Instrument/Harmonica", "Science/Birds/Eagles", null])
      expect(await api("/api/learned/undo", { method: "POST" })).toMatchObject({ forgotten })
    expect(await documents()).toBe(before)
  })

  test("can be switched off, for clicks and searches", async () => {
    const { api } = await servePerson({ searcher })
    expect(await api("/api/settings", { method: "PUT", body: { learning: false } })).toMatchObject({ learning: false })
    expect((await api("/api/click", { body: click })).learned).toBeNull()
    expect((await api("/api/search", { body: { query: "harmonica" } })).learned).toBeNull()
  })
})

describe("the profile", () => {
  test("is shown level by level, with what is sensitive", async () => {
    const { list, ask } = await servePerson({ searcher })
    const top = await list("/api/topics")
    expect(top.map(({ path }: { path: string }) => path)).toEqual(["Sports", "Science", "Adults", "Arts"])
    expect(top[2]).toEqual({ path: "Adults", name: "Adults", support: 2, sensitive: 1, never: false, children: 0 })
    expect(await list("/api/topics?path=Science/Birds")).toMatchObject([{ support: 3 }, { sensitive: 0.5 }])
    expect((await ask("/api/topics?path=Nowhere")).status).toBe(403)
  })

  test("accepts marks of sensitive topics, but not of two topics if one is below the other", async () => {
    const { api } = await servePerson({ searcher })
    const put = (path: string, sensitivity: number) =>
      api("/api/sensitive", { method: "PUT", body: { path, sensitivity } })
    expect(await put("Science", 1)).toMatchObject({ status: 409, code: "topics-broken" })
    expect(await put("Nowhere", 1)).toMatchObject({ status: 404, code: "unknown-name" })
    expect((await put("Science/Birds/Eagles", 0)).sensitive).toEqual([{ path: "Adults", sensitivity: 1 }])
    expect((await put("Science", 0.25)).sensitive).toContainEqual({ path: "Science", sensitivity: 0.25 })
    expect((await api("/api/state")).floor).toBeCloseTo((0.05 + 0.25 * 0.1) / 1.25, 12)
  })

  test("keeps settings, marks and history over a restart; refuses a wrong passphrase or a damaged file", async () => {
    const path = fresh()
    const { api } = await servePerson({ searcher, path })
    await api("/api/settings", { method: "PUT", body: { delta: 0.25, learning: false } })
    await api("/api/search", { body: { query: "eagles" } })
    const again = await servePerson({ searcher, path })
    expect(await again.api("/api/state")).toMatchObject({ delta: 0.25, sessionDelta: 0.5, learning: false })
    expect((await again.api("/api/history")).entries).toHaveLength(1)
    await expect(ProfileFile.open(path, { passphrase: "others", taxonomy })).rejects.toMatchObject({
      code: "profile-passphrase",
    })
  })
})

describe("the history", () => {
  test("lists what each engine was shown and when, page by page, without the queries", async () => {
    const { api } = await servePerson({ searcher })
    for (let i = 0; i < 60; i++) await api("/api/search", { body: { query: "eagles" } })
    const first = await api("/api/history")
    expect(first.entries).toHaveLength(50)
    expect(first.more).toBe(true)
    expect(first.entries[0]).toEqual({
      id: 59,
      time: Date.parse("2026-03-04T12:00:00Z") / 1000,
      engine: "built-in",
      exposure: ["Science", "Sports", "Sports/Football", "Sports/Football/Eagles"],
      risk: expect.closeTo(1 / 6, 12),
      delta: 0.2,
    })
    const second = await api(`/api/history?before=${first.entries.at(-1).id}`)
    expect([second.entries.length, second.more]).toEqual([10, false])
    const all = await api("/api/history/export")
    expect(all.exposures).toHaveLength(60)
    expect(
      JSON.stringify(all.exposures.map(({ relevant, exposed, ...rest }: Record<string, unknown>) => rest)),
    ).not.toMatch(/eagles/i)
  })

  test("is deleted by the day or as a whole", async () => {
    const { api } = await servePerson({ searcher })
    await api("/api/search", { body: { query: "eagles" } })
    // An invalid date must not be read as another day.
    expect(await api("/api/history?day=2026-02-32", { method: "DELETE" })).toMatchObject({ status: 400 })
    expect(await api("/api/forget", { body: { day: "2026-02-31" } })).toMatchObject({ status: 400 })
    expect(await api("/api/history?day=2026-03-03", { method: "DELETE" })).toMatchObject({ deleted: 0 })
    expect(await api("/api/history?day=2026-03-04", { method: "DELETE" })).toMatchObject({ deleted: 1 })
    await api("/api/search", { body: { query: "eagles" } })
    expect(await api("/api/history", { method: "DELETE" })).toMatchObject({ deleted: 1 })
    expect((await api("/api/history")).entries).toEqual([])
  })
})

describe("forgetting", () => {
  test("a topic removes it from the file: profile, marks, history and what can be undone", async () => {
    const path = fresh()
    const { api, list } = await servePerson({ searcher, path })
    await api("/api/search", { body: { query: "eagles" } })
    await api("/api/click", { body: click })
    expect(await api("/api/forget", { body: { path: "Science" } })).toMatchObject({
      status: 200,
      sensitive: [{ path: "Adults" }],
    })
    expect(await list("/api/learned")).toEqual([])
    const { store } = await ProfileFile.open(path, { passphrase, taxonomy })
    const named = [...store.interests.days()].flatMap(({ topics }) => topics.map(([topic]) => taxonomy.path(topic)))
    expect(named).toContain("Sports/Football/Eagles")
    expect(JSON.stringify([named, store.history.records, [...store.history.layers.values()]])).not.toContain("Science")
  })

  test("a day removes what was learned and shown on it", async () => {
    const { api, list } = await servePerson({ searcher })
    await api("/api/search", { body: { query: "eagles" } })
    await api("/api/click", { body: click })
    expect(await list("/api/days")).toEqual([
      { day: "2026-03-04", documents: 1, exposures: 1 },
      { day: "2024-10-04", documents: 17, exposures: 0 },
    ])
    expect((await api("/api/forget", { body: { day: "2026-03-04" } })).profile).toEqual({
      topics: 14,
      searches: 17,
      days: 1,
    })
    expect(await list("/api/days")).toHaveLength(1)
    expect((await api("/api/history")).entries).toEqual([])
  })
})

describe("topics marked never show", () => {
  test("are in no exposure after they are marked, whatever δ is, and the mark survives forgetting", async () => {
    const path = fresh()
    const { api } = await servePerson({ searcher, path })
    const put = (topic: string, never: boolean) => api("/api/never", { method: "PUT", body: { path: topic, never } })
    const free = { query: "eagles", delta: 1 }
    await api("/api/settings", { method: "PUT", body: { sessionDelta: 1, lifetimeDelta: 1 } })
    expect((await api("/api/preview", { body: free })).exposure).toContain("Sports/Football/Eagles")
    expect(await put("Sports", true)).toMatchObject({ never: ["Sports"] })
    const after = await api("/api/search", { body: free })
    expect(after.exposure.filter((topic: string) => topic.startsWith("Sports"))).toEqual([])
    expect(after.seed).toContainEqual(
      expect.objectContaining({ path: "Sports/Football/Eagles", never: true, exposed: false }),
    )
    expect(await put("Sports/Football", false)).toMatchObject({ status: 409 }) // a topic above is marked
    expect(await put("Nowhere", true)).toMatchObject({ status: 404 })
    await api("/api/forget", { body: { path: "Sports" } })
    const { store } = await ProfileFile.open(path, { passphrase, taxonomy })
    expect([...store.never].map((topic) => taxonomy.path(topic))).toEqual(["Sports"])
    expect(await put("Sports", false)).toMatchObject({ never: [] })
  })
})

describe("the lifetime bound", () => {
  test("still counts what was shown after the history is deleted and the day is over", async () => {
    const { api, proxy } = await servePerson({ searcher })
    await api("/api/search", { body: { query: "eagles", delta: 0.4 } })
    const before = (await api("/api/state")).engines[0].lifetimeRisk
    expect(before).toBeGreaterThan(0.1)
    await api("/api/history", { method: "DELETE" })
    await api("/api/forget", { body: { day: "2026-03-04" } })
    expect((await api("/api/state")).engines[0].lifetimeRisk).toBe(before)
    await api("/api/settings", { method: "PUT", body: { lifetimeDelta: before / 2, sessionDelta: 1 } })
    const preview = await api("/api/preview", { body: { query: "eagles", delta: 1 } })
    expect(preview).toMatchObject({ decision: "nothing", lifetimeRisk: before })
    expect(preview.reason).toMatch(/limit for all time/)
    expect(proxy.store.history.records).toEqual([])
  })

  test("has no risk while nothing is marked sensitive", async () => {
    const { api } = await servePerson({ searcher })
    for (const path of ["Adults", "Science/Birds/Eagles"])
      await api("/api/sensitive", { method: "PUT", body: { path, sensitivity: 0 } })
    const none = { risk: null, sessionRisk: null, lifetimeRisk: null, queryRisk: null }
    expect(await api("/api/search", { body: { query: "eagles" } })).toMatchObject({ decision: "exposed", ...none })
    expect(await api("/api/state")).toMatchObject({ floor: null, inFull: [], engines: [{ lifetimeRisk: null }] })
    expect((await api("/api/history")).entries[0].risk).toBeNull()
  })
})

describe("proposals", () => {
  test("list what may be sensitive until the person has answered", async () => {
    const { api } = await servePerson({ searcher })
    await api("/api/sensitive", { method: "PUT", body: { path: "Adults", sensitivity: 0 } })
    const { proposals } = await api("/api/state")
    expect(proposals).toEqual([{ kind: "sexuality", path: "Adults", name: "Adults", support: 2 }])
    const answered = await api("/api/proposals", { body: { mark: ["Adults"] } })
    expect(answered.proposals).toEqual([])
    expect(answered.sensitive).toContainEqual({ path: "Adults", sensitivity: 1 })
    expect((await api("/api/state")).inFull).toEqual([])
    await api("/api/settings", { method: "PUT", body: { delta: 0.4 } })
    expect((await api("/api/state")).inFull).toEqual([{ path: "Science/Birds/Eagles", share: 1 / 3 }])
  })
})
