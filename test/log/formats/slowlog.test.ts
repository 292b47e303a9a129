import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read, refusal } from "../read.ts"
import { bag, expectSound, jsonLines, type Row, rowsOf, start } from "./rows.ts"

const { write } = scratchFolder()

interface Entry {
  user: string
  source: string
  /** Milliseconds at which the line was written, and the time that the shard took. */
  at: number
  took: number
  shard?: number
  phase?: "query" | "fetch"
}

const iso = (at: number) => new Date(at).toISOString()

/** A line as each engine writes it. */
const engines: Record<string, (entry: Entry) => object> = {
  "Elasticsearch 7": ({ user, source, at, took, shard = 0, phase = "query" }) => ({
    type: "index_search_slowlog",
    timestamp: iso(at).replace(".", ",").replace("Z", "+0000"),
    level: "WARN",
    component: `i.s.s.${phase}`,
    "cluster.name": "shop",
    "node.name": "node-0",
    message: `[products][${shard}]`,
    took: `${took}ms`,
    took_millis: `${took}`,
    total_hits: "10+ hits",
    stats: "[]",
    search_type: "QUERY_THEN_FETCH",
    total_shards: "5",
    source,
    id: "request-1",
    "user.name": user,
  }),
  "Elasticsearch 8": ({ user, source, at, took, shard = 0, phase = "query" }) => ({
    "@timestamp": iso(at),
    "log.level": "WARN",
    "event.dataset": "elasticsearch.index_search_slowlog",
    "log.logger": `index.search.slowlog.${phase}`,
    "elasticsearch.slowlog.message": `[products][${shard}]`,
    "elasticsearch.slowlog.took_millis": took,
    "elasticsearch.slowlog.total_shards": 5,
    "elasticsearch.slowlog.source": source,
    "elasticsearch.slowlog.id": "request-1",
    "user.name": user,
    "user.realm": "native",
  }),
  "Elasticsearch 8, members nested": ({ user, source, at, took, phase = "query" }) => ({
    "@timestamp": iso(at),
    log: { level: "WARN", logger: `index.search.slowlog.${phase}` },
    event: { dataset: "elasticsearch.index_search_slowlog" },
    elasticsearch: { slowlog: { took_millis: took, source, id: "request-1" } },
    user: { name: user },
  }),
  OpenSearch: ({ user, source, at, took, shard = 0, phase = "query" }) => ({
    type: "index_search_slowlog",
    timestamp: iso(at).replace("Z", "+00:00").replace(".", ","),
    level: "TRACE",
    component: `i.s.s.${phase}`,
    message: `[products][${shard}]`,
    took_millis: String(took),
    total_shards: "5",
    source,
    id: null,
    user: { name: user },
  }),
}

const match = (text: string) =>
  JSON.stringify({ size: 10, query: { bool: { must: [{ match: { title: { query: text } } }] } } })

/** The oracle: of one user's searches for one text, those that start more than two seconds after the last one kept. */
function distinctByHand(searches: readonly { user: string; text: string; at: number }[]): Row[] {
  const last = new Map<string, number>()
  const rows: Row[] = []
  for (const { user, text, at } of [...searches].sort((a, b) => a.at - b.at)) {
    const time = Math.floor(at / 1000)
    const name = JSON.stringify([user, text])
    if (time - (last.get(name) ?? Number.NEGATIVE_INFINITY) <= 2) continue
    last.set(name, time)
    rows.push({ user, query: text, time })
  }
  return rows
}

describe.each(Object.keys(engines))("a slow log of %s", (engine) => {
  const lineOf = engines[engine] ?? ((entry: Entry) => entry)

  test("has each search once, however many shards and phases wrote it, in any order", async () => {
    const search = fc.record({
      user: fc.constantFrom("ann", "bob"),
      text: fc.constantFrom("red shoes", "hat"),
      at: fc.nat({ max: 20_000 }),
      shards: fc.array(fc.nat({ max: 900 }), { minLength: 1, maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(search, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        async (given, dice) => {
          const lines = given.flatMap(({ user, text, at, shards }) =>
            shards.flatMap((took, shard) => {
              const entry = { user, source: match(text), at: start * 1000 + at + took, took, shard }
              return [entry, { ...entry, phase: "fetch" as const, at: entry.at + 5, took: 5 }]
            }),
          )
          const shuffled = lines.map((line) => ({ line, by: dice.next().value ?? 0 })).sort((a, b) => a.by - b.by)
          const result = await read(write(jsonLines(shuffled.map(({ line }) => lineOf(line)))))
          const searches = given.map(({ user, text, at }) => ({ user, text, at: start * 1000 + at }))
          expectSound(result.log)
          expect(result.intake.format).toBe("slowlog")
          expect(bag(rowsOf(result))).toEqual(bag(distinctByHand(searches)))
        },
      ),
      { numRuns: 60 },
    )
  })

  test("has the query at --json-path", async () => {
    const source = JSON.stringify({ query: { match: { lang: "en" } }, ext: { typed: "lamp", list: [{ t: "sofa" }] } })
    const path = write(jsonLines([lineOf({ user: "ann", source, at: start * 1000, took: 0 })]))
    for (const [jsonPath, text] of [
      [undefined, "en"],
      ["ext.typed", "lamp"],
      ["$.ext['typed']", "lamp"],
      ['$["ext"].list[0].t', "sofa"],
      ["ext.list[*].t", "sofa"],
      ["..t", "sofa"],
    ] as const) {
      const result = await read(path, jsonPath === undefined ? {} : { jsonPath })
      expect(rowsOf(result).map(({ query }) => query)).toEqual([text])
    }
  })
})

describe("a slow log", () => {
  const line = engines["Elasticsearch 7"] ?? ((entry: Entry) => entry)
  const entry = { user: "ann", source: match("lamp"), at: start * 1000 + 1500, took: 600 }

  test("of indexing holds documents, not searches", async () => {
    const indexing = {
      ...line({ ...entry, source: match("a document") }),
      type: "index_indexing_slowlog",
      component: "i.i.s.index",
    }
    const result = await read(write(jsonLines([line(entry), indexing])))
    expect(rowsOf(result)).toEqual([{ user: "ann", query: "lamp", time: start, rank: undefined, url: undefined }])
    expect(result.intake.rejected).toEqual({})
  })

  test.each([
    ["match", { match: { title: "lamp" } }],
    ["multi_match", { multi_match: { query: "lamp", fields: ["a"] } }],
    ["query_string", { query_string: { query: "lamp" } }],
    ["match in function_score", { function_score: { query: { match_phrase: { title: { query: "lamp" } } } } }],
    [
      "the first of several",
      { bool: { filter: [{ term: { a: "b" } }], should: [{ match: { a: "lamp" } }, { match: { b: "x" } }] } },
    ],
  ])("has the text of a full-text clause: %s", async (_name, query) => {
    const result = await read(write(jsonLines([line({ ...entry, source: JSON.stringify({ query }) })])))
    expect(rowsOf(result).map((row) => row.query)).toEqual(["lamp"])
  })

  test.each([
    ["a search without text", '{"query":{"match_all":{}}}', { query: 1 }],
    ["a source that was cut off", '{"query":{"mat', { syntax: 1 }],
    ["a source that is no object", "[1]", { syntax: 1 }],
    [
      "a source nested too deep to look into",
      `${'{"a":'.repeat(5000)}{"match":{"t":"x"}}${"}".repeat(5000)}`,
      { query: 1 },
    ],
  ])("counts %s", async (_name, source, rejected) => {
    const { log, intake } = await read(write(jsonLines([line(entry), line({ ...entry, source })])))
    expect([log.rows, intake.rejected]).toEqual([1, rejected])
  })

  test("takes X-Opaque-Id as the user only with --columns, and says what to do without one", async () => {
    const { "user.name": _user, ...anonymous } = { ...line(entry), "user.name": undefined }
    const path = write(jsonLines([anonymous]))
    expect(await refusal(read(path))).toMatchObject({
      code: "input-rows",
      message: expect.stringContaining("--columns user="),
    })
    expect(rowsOf(await read(path, { columns: "user=id" }))).toMatchObject([{ user: "request-1" }])
  })

  test.each([
    ["query=source", /--json-path/],
    ["user=id,rank=took", /not the rank/],
  ])("refuses columns that it does not accept: %s", async (columns, says) => {
    const error = await refusal(read(write(jsonLines([line(entry)])), { columns }))
    expect(error).toMatchObject({ code: "usage", message: expect.stringMatching(says), fields: { flag: "--columns" } })
  })

  test.each(["", "$", "a[", "a..", 'a["\\x"]', "a b", "a]"])("refuses the path %j", async (jsonPath) => {
    const error = await refusal(read(write(jsonLines([line(entry)])), { jsonPath }))
    expect(error).toMatchObject({ code: "option-value", fields: { flag: "--json-path" } })
  })

  test("refuses a bad path in --columns", async () => {
    const path = write(jsonLines([{ user: "a", query: "b", time: iso(start * 1000) }]))
    expect(await refusal(read(path, { columns: 'user=["\\x"]' }))).toMatchObject({ code: "option-value" })
  })
})
