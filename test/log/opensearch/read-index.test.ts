import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { indexInput } from "#dist/log/opensearch/index-input.js"
import { readLog } from "#dist/log/read-log.js"
import { FakeCluster } from "../../support/fake-cluster.ts"

let cluster: FakeCluster
beforeAll(async () => {
  cluster = await FakeCluster.open()
})
beforeEach(() => {
  cluster.documents = searches(100)
  cluster.fields = { timestamp: { date: {} }, query_id: { keyword: {} }, user_query: { keyword: {} } }
  cluster.fault = () => undefined
  cluster.asked.length = 0
  cluster.points.clear()
})
afterEach(() => {
  delete process.env.QUERYVEIL_OPENSEARCH_TOKEN
})

/** Searches of ten shards, all at one time. Each shard numbers its own documents, so ten share a number. */
function searches(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    index: "ubi_queries",
    id: `d${i}`,
    sequence: Math.floor(i / 10),
    source: {
      query_id: `q${i}`,
      client_id: `c${i % 20}`,
      user_query: `word ${i % 10}`,
      timestamp: "2026-01-01T00:00:00Z",
    },
  }))
}

const range = { now: Date.parse("2026-02-01T00:00:00Z"), range: {}, columns: undefined, format: "auto" }

async function readLines(options: Partial<Parameters<typeof indexInput>[1]> = {}): Promise<string[]> {
  const { remote } = indexInput(cluster.url("ubi_queries"), { ...range, ...options })
  const chunks: Buffer[] = []
  for await (const chunk of remote?.read(undefined) ?? []) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8").trimEnd().split("\n")
}

const idsOf = (lines: readonly string[]) => lines.map((line) => String(JSON.parse(line).query_id)).sort()
const allIds = () => cluster.documents.map(({ source }) => String(source.query_id)).sort()
const searchesAsked = () => cluster.asked.filter(({ path }) => path.startsWith("/_search?"))

describe("an index is read", () => {
  test("whole, although documents of ten shards share their place and a page has seven", async () => {
    expect(idsOf(await readLines({ pageSize: 7, slices: 3 }))).toEqual(allIds())
  })

  test("in the same order, however it is sliced and paged", async () => {
    const once = await readLines({ pageSize: 1000, slices: 1 })
    expect(await readLines({ pageSize: 7, slices: 4 })).toEqual(once)
    cluster.documents.reverse()
    expect(await readLines({ pageSize: 11, slices: 2 })).toEqual(once)
  })

  test("once, although connections are lost and the cluster is busy", async () => {
    let number = 0
    cluster.fault = ({ path }) => {
      if (!path.startsWith("/_search?")) return undefined
      number++
      return number % 3 === 0 ? "drop" : number % 7 === 0 ? { status: 503 } : undefined
    }
    expect(idsOf(await readLines({ pageSize: 20 }))).toEqual(allIds())
  })

  test("once, although its point in time expires", async () => {
    let number = 0
    cluster.fault = ({ path }) => {
      if (path.startsWith("/_search?") && ++number % 5 === 0) cluster.points.clear()
      return undefined
    }
    expect(idsOf(await readLines({ pageSize: 20, slices: 2 }))).toEqual(allIds())
    expect(cluster.asked.filter(({ path }) => path.startsWith("/ubi_queries/_search/point")).length).toBeGreaterThan(1)
  })

  test("not at all, if it changed after its point in time expired", async () => {
    let number = 0
    cluster.fault = ({ path }) => {
      if (path.startsWith("/_search?") && ++number === 3) {
        cluster.points.clear()
        const [first, ...rest] = cluster.documents
        if (first !== undefined) cluster.documents = [...rest, { ...first, id: "late", sequence: 99 }]
      }
      return undefined
    }
    await expect(readLines({ pageSize: 20, slices: 1 })).rejects.toMatchObject({ code: "input-changed" })
  })

  test("not at all, if fewer documents come than are counted", async () => {
    const { documents } = cluster
    cluster.fault = ({ path, body }) => {
      if (path.startsWith("/_search?") && !body.includes('"aggs"'))
        for (const [id] of cluster.points) cluster.points.set(id, documents.slice(1))
      return undefined
    }
    await expect(readLines()).rejects.toMatchObject({
      code: "input-incomplete",
      message: expect.stringContaining("read 99 documents, but the cluster counts 100"),
    })
  })

  test("without leaving a point in time behind, also when it is interrupted or fails", async () => {
    await readLines()
    expect(cluster.points.size).toBe(0)
    const controller = new AbortController()
    let number = 0
    cluster.fault = ({ body }) => {
      if (body.includes('"sort"') && ++number === 3) controller.abort()
      return undefined
    }
    const context = createContext({ signal: controller.signal })
    cluster.documents = searches(30_000)
    await expect(readLog(cluster.url("ubi_queries"), {}, context)).rejects.toMatchObject({ code: "interrupted" })
    expect(cluster.points.size).toBe(0)
    cluster.fault = ({ body }) => (body.includes('"sort"') ? { status: 400 } : undefined)
    await expect(readLines()).rejects.toMatchObject({ code: "cluster-refused" })
    expect(cluster.points.size).toBe(0)
  })

  test("and never written: every request searches, counts, or opens and closes a point in time", async () => {
    await readLines({ pageSize: 7 })
    const kinds = new Set(cluster.asked.map(({ method, path }) => `${method} ${path.replace(/\?.*/, "")}`))
    expect([...kinds].sort()).toEqual([
      "DELETE /_search/point_in_time",
      "GET /ubi_queries/_field_caps",
      "POST /_search",
      "POST /ubi_queries/_search/point_in_time",
    ])
  })

  test("up to the start of the run, or within the given range, or as far as it matches a filter", async () => {
    cluster.documents.forEach(({ source }, i) => {
      source.timestamp = `2026-01-0${1 + (i % 4)}T00:00:00Z`
      source.application = i % 2 === 0 ? "shop" : "blog"
    })
    const ids = async (options: object) => (await readLines(options)).length
    expect(await ids({ now: Date.parse("2026-01-03T00:00:00Z") })).toBe(50)
    expect(await ids({ range: { since: "2026-01-02T00:00:00.000Z", until: "2026-01-04T00:00:00.000Z" } })).toBe(50)
    expect(await ids({ range: { filter: { term: { application: "shop" } } } })).toBe(50)
  })

  test("with only the fields that are read, if it is UBI", async () => {
    await readLines()
    const { _source: fields } = JSON.parse(searchesAsked().at(-1)?.body ?? "")
    expect(fields).toEqual(expect.arrayContaining(["user_query", "client_id", "timestamp"]))
    expect(fields).not.toEqual(expect.arrayContaining(["query"]))
  })
})

describe("a log in an index", () => {
  test("is read like a file of JSON Lines: columns are recognised, counted and listed", async () => {
    cluster.fields = { at: { date: {} }, visitor: { keyword: {} }, q: { text: {} } }
    cluster.documents = searches(10).map((document, i) => ({
      ...document,
      source: { visitor: `v${i % 3}`, q: `word ${i % 2}`, timestamp: "2026-01-01T00:00:00Z" },
    }))
    cluster.fields = { timestamp: { date: {} }, visitor: { keyword: {} }, q: { text: {} } }
    const notes: string[] = []
    const context = createContext({ notify: ({ text }) => notes.push(text) })
    const { log, intake } = await readLog(cluster.url("clicks"), { until: "2026-03-01" }, context)
    expect([log.rows, log.users.size]).toEqual([10, 3])
    expect(intake.read[0]?.columns).toMatchObject({ user: "visitor", query: "q", time: "timestamp" })
    const index = { timeField: "timestamp", until: "2026-03-01T00:00:00.000Z", documents: 10 }
    expect(intake.files[0]).toMatchObject({ path: cluster.url("clicks"), lines: 10, index })
    expect(notes[0]).toContain("reading 10 documents (timestamp until 2026-03-01T00:00:00.000Z)")
  })

  test("without a user is refused with masked examples", async () => {
    for (const { source } of cluster.documents) {
      delete (source as { client_id?: string }).client_id
      delete (source as { query_id?: string }).query_id
    }
    cluster.fields = { timestamp: { date: {} }, user_query: { keyword: {} } }
    await expect(readLog(cluster.url("ubi_queries"))).rejects.toMatchObject({
      code: "input-columns",
      message: expect.not.stringContaining("word 1"),
    })
  })

  test("is refused if its time is a date in one index and text in another", async () => {
    cluster.fields.timestamp = { date: { indices: ["logs-1"] }, keyword: { indices: ["logs-2"] } }
    await expect(readLog(cluster.url("logs-*"))).rejects.toMatchObject({
      code: "index-mappings",
      message: expect.stringContaining("date in logs-1; keyword in logs-2"),
    })
  })

  test("is never kept in a cache", async () => {
    const { mkdtempSync, readdirSync, rmSync } = await import("node:fs")
    const folder = mkdtempSync("/tmp/queryveil-test-cache-")
    try {
      const { intake } = await readLog(cluster.url("ubi_queries"), { cache: folder })
      expect(intake.warnings.join()).toContain("not kept in the cache")
      expect(readdirSync(folder)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test("gets a warning for documents without a time", async () => {
    cluster.documents.push({ index: "ubi_queries", id: "x", sequence: 77, source: { query_id: "x" } })
    const notes: string[] = []
    await readLog(cluster.url("ubi_queries"), {}, createContext({ notify: ({ text }) => notes.push(text) }))
    expect(notes.join("\n")).toContain("1 documents have no timestamp and were not read")
  })

  test.each([
    [{ since: "yesterday" }, /--since yesterday: expected a date or a time/],
    [{ until: "2026-02-30" }, /--until 2026-02-30: expected a date or a time/],
    [{ filter: '{"a": 1, "b": 2}' }, /--filter: expected one query/],
    [{ filter: "/nowhere/filter.json" }, /there is no such file/],
  ])("is refused with a wrong range or filter: %j", async (options, message) => {
    await expect(readLog(cluster.url("ubi_queries"), options)).rejects.toThrow(message)
  })

  test("needs no range of a file", async () => {
    await expect(readLog("package.json", { since: "2026-01-01" })).rejects.toMatchObject({ code: "usage" })
  })
})
