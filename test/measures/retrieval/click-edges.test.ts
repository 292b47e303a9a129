import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { buildWalkGraph } from "#dist/kernels/retrieval/walk-graph.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { gatherTests } from "#dist/measures/retrieval/fold-tests.js"
import { type ClickEdges, edgesOfRows, edgesOfTables } from "#dist/measures/shown/click-edges.js"
import { removerOf } from "#dist/measures/shown/leave-out.js"
import { edgesOfRelease } from "#dist/measures/shown/release-edges.js"
import type { MethodOptions } from "#dist/release/method-options.js"
import { aolText, type Search, timeAfter } from "../../support/aol-log.ts"
import { draftOf } from "../../support/drafts.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { clickedSearches, readSearches } from "./clicked-logs.ts"

const { write } = scratchFolder()
const everything = { method: "equality", k: 1, scrub: "none", urls: "keep" } as const

/** The edges of a graph, as texts with their weights. */
function edgesByText({ queries, urls, clicks, transitions }: ClickEdges): Record<string, number> {
  const graph = buildWalkGraph({ queries: queries.size, documents: urls.size, clicks, transitions })
  const found: Record<string, number> = {}
  for (const [kind, targets] of [["clicks", urls] as const, ["transitions", queries] as const]) {
    const { starts, targets: to, weights } = graph[kind]
    for (let query = 0; query < queries.size; query++) {
      for (let i = starts[query] ?? 0; i < (starts[query + 1] ?? 0); i++) {
        found[`${queries.text(query)} → ${targets.text(to[i] ?? -1)}`] = weights[i] ?? 0
      }
    }
  }
  return found
}

/** The same, counted from the rows by hand. */
function countByHand(rows: readonly Search[], gapSeconds: number): Record<string, number> {
  const found: Record<string, number> = {}
  const add = (edge: string) => {
    found[edge] = (found[edge] ?? 0) + 1
  }
  const seconds = (time: string) => Date.parse(`${time.replace(" ", "T")}Z`) / 1000
  for (const { query, url } of rows) if (url !== undefined) add(`${query} → ${url}`)
  for (const user of new Set(rows.map((row) => row.user))) {
    const own = rows.filter((row) => row.user === user)
    own.sort((a, b) => seconds(a.time) - seconds(b.time) || Buffer.compare(Buffer.from(a.query), Buffer.from(b.query)))
    own.forEach((row, i) => {
      const next = own[i + 1]
      if (next === undefined || next.query === row.query) return
      if (seconds(next.time) - seconds(row.time) <= gapSeconds) add(`${row.query} → ${next.query}`)
    })
  }
  return found
}

/** True if query ids are in the order of the texts. Rows of one second are sorted by id. */
const isSortedById = ({ queries }: SearchLog) =>
  Array.from({ length: queries.size }, (_, id) => queries.text(id)).every(
    (text, id, all) => id === 0 || text > all[id - 1],
  )

/** Rows whose ids are in the order of texts: at the start, somebody who does nothing else issues each query once. */
const headed = (rows: readonly Search[]) => [
  ...[...new Set(rows.map(({ query }) => query))]
    .sort()
    .map((query, i): Search => ({ user: `first ${i}`, query, time: timeAfter(0) })),
  ...rows,
]

describe("the edges of a log", () => {
  test("are its clicks, and searches of one user at most 30 minutes apart", async () => {
    await fc.assert(
      fc.asyncProperty(clickedSearches, async (searches) => {
        const rows = headed(searches)
        const log = await readSearches(write(aolText(rows)))
        expect(isSortedById(log)).toBe(true)
        expect(edgesByText(edgesOfRows(log))).toEqual(countByHand(rows, 1800))
      }),
      { numRuns: 40 },
    )
  })

  test("without some users are those of a log in which they never searched", async () => {
    await fc.assert(
      fc.asyncProperty(clickedSearches, fc.nat({ max: 2 }), async (searches, fold) => {
        const rows = headed(searches)
        const log = await readSearches(write(aolText(rows)))
        const { foldOf } = gatherTests(log, { folds: 3, queries: 10, seed: 1 })
        const marked = foldOf.map((own) => (own === fold ? 1 : 0))
        const others = rows.filter(({ user }) => marked[log.users.find(user)] === 0)
        expect(edgesByText(removerOf(edgesOfRows(log), log)(marked))).toEqual(countByHand(others, 1800))
      }),
      { numRuns: 40 },
    )
  })
})

describe("the edges of a release", () => {
  test("without some users are those of the others' rows with released queries", async () => {
    const policy = fc.constantFrom<MethodOptions["equality"]>(
      { users: "session", time: "hour" },
      { users: "pseudonym", time: "exact" },
    )
    await fc.assert(
      fc.asyncProperty(clickedSearches, fc.nat({ max: 2 }), policy, async (searches, fold, columns) => {
        const rows = headed(searches)
        const { subject, context } = await draftOf(write(aolText(rows)), { ...everything, ...columns, k: 4 })
        const { log: read, release } = subject
        const { foldOf } = gatherTests(read, { folds: 3, queries: 10, seed: 1 })
        const marked = foldOf.map((own) => (own === fold ? 1 : 0))
        const usersOf = (query: string) =>
          new Set(rows.filter((row) => row.query === query).map(({ user }) => user)).size
        const others = rows.filter(({ user, query }) => marked[read.users.find(user)] === 0 && usersOf(query) >= 4)
        const edges = removerOf(await edgesOfRelease(release, context), read)(marked)
        expect(edgesByText(edges)).toEqual(countByHand(others, 1800))
      }),
      { numRuns: 40 },
    )
  })

  test("without some users have nothing that only these users did, however often the release repeats it", async () => {
    const [queries, urls] = [dictionaryOf(["rare", "common"]), dictionaryOf(["http://a", "http://b"])]
    const searches: Search[] = [
      { user: "1", query: "rare", time: timeAfter(0), rank: 1, url: "http://a" },
      { user: "1", query: "common", time: timeAfter(9000), rank: 1, url: "http://a" },
      { user: "2", query: "common", time: timeAfter(0), rank: 1, url: "http://a" },
      { user: "2", query: "common", time: timeAfter(1), rank: 1, url: "http://a" },
    ]
    const log = await readSearches(write(aolText(searches)))
    const marked = Uint8Array.from({ length: 2 }, (_, user) => (log.users.text(user) === "1" ? 1 : 0))
    // Ten members of a group have the first user's searches. The log does not know one of the urls.
    const clicks = {
      from: Int32Array.of(0, 1, 1),
      to: Int32Array.of(0, 0, 1),
      weight: Float64Array.of(10, 30, 6),
    }
    const transitions = { from: Int32Array.of(0), to: Int32Array.of(1), weight: Float64Array.of(10) }
    const edges = removerOf({ queries, urls, clicks, transitions }, log)(marked)
    expect(edgesByText(edges)).toEqual({ "common → http://a": 20, "common → http://b": 4 })
  })

  // Two and a half hours in one sitting, an hour's break, then one more search.
  const minutes = [0, 25, 50, 70, 95, 120, 150, 210]
  const texts = ["d", "c", "b", "a", "d", "b", "c", "a"]
  const rows = [1, 2].flatMap((person) =>
    minutes.map((minute, i): Search => {
      return { user: `${person}`, query: `${texts[i]}`, time: timeAfter(minute * 60), rank: 1, url: `http://${i % 3}` }
    }),
  )
  const log = write(aolText(rows))
  const edgesOf = async (policy: MethodOptions["equality"]) => {
    const { subject, context } = await draftOf(log, { ...everything, ...policy })
    return edgesByText(await edgesOfRelease(subject.release, context))
  }
  const clicksOf = (edges: Record<string, number>) => Object.entries(edges).filter(([edge]) => edge.includes("http"))

  test.each(["exact", "hour", "day", "drop"] as const)(
    "with a name per session are those of the log, times: %s",
    async (time) => {
      expect(await edgesOf({ users: "session", time })).toEqual(countByHand(rows, 1800))
    },
  )

  test("with a name per user follow the shown times", async () => {
    expect(await edgesOf({ users: "pseudonym", time: "exact" })).toEqual(countByHand(rows, 1800))
    // All on one day, in the order of the file, including searches an hour apart.
    expect(await edgesOf({ users: "pseudonym", time: "day" })).toEqual(countByHand(rows, 3600))
  })

  test("without names are clicks alone", async () => {
    const all = countByHand(rows, 1800)
    expect(await edgesOf({ users: "drop", time: "exact" })).toEqual(Object.fromEntries(clicksOf(all)))
  })

  test("that is tables are their counts, negative ones too, which the graph leaves out", () => {
    const [texts, next] = [dictionaryOf(["cars", "maps"]), dictionaryOf(["news", "maps", "cars"])]
    const urls = dictionaryOf(["http://b", "http://a"])
    const clicks = {
      rows: 3,
      columns: [
        { name: "query", texts, ids: Int32Array.of(0, 0, 1) },
        { name: "url", texts: urls, ids: Int32Array.of(1, 0, 1) },
        { name: "count", values: Float64Array.of(7.5, -2.25, 3) },
      ],
    }
    const transitions = {
      rows: 2,
      columns: [
        { name: "query", texts: next, ids: Int32Array.of(2, 0) },
        { name: "next", texts: next, ids: Int32Array.of(1, 2) },
        { name: "count", values: Float64Array.of(4, -1) },
      ],
    }
    const edges = edgesOfTables({ clicks, transitions })
    expect([...(edges.clicks.weight ?? [])]).toEqual([7.5, -2.25, 3])
    expect(edgesByText(edges)).toEqual({ "cars → http://a": 7.5, "maps → http://a": 3, "cars → maps": 4 })
  })
})
