import { cpSync, readFileSync } from "node:fs"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import type { FileFormat } from "#dist/release/manifest.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { overall } from "#dist/verify/verifier.js"
import { aolText, type Search, smallTown, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { publish } from "../support/publish.ts"
import { dataFile, multiset, type ReleasedRow, releasedRows } from "../support/released-rows.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh, write } = scratchFolder()
const formats: FileFormat[] = ["tsv", "csv", "jsonl", "parquet"]

/** Texts that a careless writer or reader gets wrong. All are their own normal form. */
const oddTexts = [
  'say "hello", world',
  '"quoted"',
  '"',
  "a,b,,c",
  "#1 song",
  "back\\slash \\n \\t",
  "\\n",
  "null",
  "none",
  "0012",
  "=sum(a1)",
  "'; drop table log; --",
  "{json: true}",
  "münchen 東京 😀",
  "query",
  "anonid",
  "2006-03-01 12:00:00",
]

async function release(searches: readonly Search[], to: FileFormat, options: Record<string, string | number> = {}) {
  const folder = fresh(to)
  const { manifest, input } = await publish(write(aolText(searches)), folder, { k: 2, ...options }, { to })
  return { folder, manifest, input }
}

/** The rows as queryveil itself reads them back. */
async function readBack(folder: string): Promise<ReleasedRow[]> {
  const released = await readRelease(folder)
  if (released.kind !== "rows") throw new Error("rows are expected")
  const log = await released.log(createContext({ workers: 1 }))
  return Array.from({ length: log.rows }, (_, row) => ({
    AnonID: log.user[row] < 0 ? "" : log.users.text(log.user[row]),
    Query: log.queries.text(log.query[row]),
    QueryTime: new Date(log.time[row] * 1000).toISOString().slice(0, 19).replace("T", " "),
    ItemRank: log.rank[row] === 65535 ? "" : String(log.rank[row]),
    ClickURL: log.url[row] < 0 ? "" : log.urls.text(log.url[row]),
  }))
}

const shown = ["Query", "QueryTime", "ItemRank", "ClickURL"]
const rowOf = ({ query, time, rank, url }: Search): ReleasedRow => ({
  Query: query,
  QueryTime: time,
  ItemRank: `${rank ?? ""}`,
  ClickURL: url ?? "",
})

/** Every text by two users, once with a click on a url made from it. */
const twice = (texts: readonly string[]) =>
  texts.flatMap((query, i): Search[] => [
    { user: "1", query, time: timeAfter(i), rank: 65534, url: `http://example/?q=${query}` },
    { user: "2", query, time: timeAfter(i), rank: 1, url: `http://example/?q=${query}` },
    { user: "2", query, time: timeAfter(i + 1) },
  ])

describe.each(formats)("a release as %s", (to) => {
  test("reads back to the rows that were released, by hand and by queryveil", async () => {
    const searches = twice(oddTexts)
    const { folder, manifest } = await release(searches, to, { time: "exact" })
    expect(manifest.files).toEqual([{ path: `log.${to}`, rows: searches.length, sha256: expect.any(String) }])
    const rows = await releasedRows(folder)
    expect(multiset(rows, shown)).toEqual(multiset(searches.map(rowOf), shown))
    expect(multiset(await readBack(folder))).toEqual(multiset(rows))
  })

  test("reads back if the odd texts are in the first column, or alone", async () => {
    for (const policy of [{ users: "drop" }, { users: "drop", time: "drop", urls: "drop" }]) {
      const { folder } = await release(twice(oddTexts), to, policy)
      const expected = twice(oddTexts).map(({ query }) => query)
      expect((await releasedRows(folder)).map(({ Query }) => Query).sort()).toEqual(expected.toSorted())
      expect((await readBack(folder)).map(({ Query }) => Query).sort()).toEqual(expected.toSorted())
    }
  })

  test("reads back whatever the texts are", async () => {
    const unit = fc.constantFrom(..."ab\"'\\,;#{}[]|/<>&%$-= é東")
    const text = fc.string({ unit, minLength: 1, maxLength: 12 }).filter((drawn) => drawn.trim() !== "")
    const normal = (drawn: string) => drawn.replace(/ +/g, " ").trim()
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 12 }), fc.boolean(), async (texts, named) => {
        const searches = twice([...new Set(texts.map(normal))])
        const { folder } = await release(searches, to, { users: named ? "session" : "drop", time: "exact" })
        const rows = await releasedRows(folder)
        expect(multiset(rows, shown)).toEqual(multiset(searches.map(rowOf), shown))
        expect(multiset(await readBack(folder), shown)).toEqual(multiset(rows, shown))
      }),
      { numRuns: to === "tsv" ? 40 : 10 },
    )
  })

  test("is the same in a folder whose name looks like a partition or a pattern", async () => {
    const log = write(aolText(smallTown()))
    await publish(log, at(`${to}-1`), { k: 2 }, { to }) // which the pattern would match
    for (const folder of [at(`town=${to}`), at(`${to}-[1]`)]) {
      const { manifest } = await publish(log, folder, { k: 2 }, { to })
      const moved = fresh()
      cpSync(folder, moved, { recursive: true })
      const rows = await releasedRows(moved)
      expect(Object.keys(rows[0] ?? {})).toEqual(manifest.columns)
      expect(multiset(await readBack(folder))).toEqual(multiset(rows))
    }
  })

  test("can be empty, and verifies", async () => {
    const { folder, manifest, input } = await release(smallTown(), to, { k: 100 })
    expect(manifest.files[0]?.rows).toBe(0)
    expect(await releasedRows(folder)).toEqual([])
    const context = createContext({ workers: 1 })
    const checks = await verify({ release: await readRelease(folder), log: input.log }, context)
    expect(overall(checks)).toBe("passed")
  })

  // Whatever the log contained, verify must be able to confirm what is published.
  test.each<[string, Partial<Search>]>([
    ["a control character in a url", { url: "http://example/a\u0001b", rank: 1 }],
    ["a carriage return in a url", { url: "http://example/a\rb", rank: 1 }],
    ["white space in a url", { url: "http://example/a b\u3000c", rank: 1 }],
    ["a url without a rank", { url: "http://example" }],
    ["a time before 1970", { time: "1969-12-31 23:59:59" }],
  ])("verifies untouched: %s", async (_name, odd) => {
    const searches = ["1", "2", "3"].map((user): Search => ({ user, query: "common", time: timeAfter(0), ...odd }))
    const { folder, input } = await release(searches, to)
    const context = createContext({ workers: 1 })
    const checks = await verify({ release: await readRelease(folder), log: input.log }, context)
    expect(checks.filter(isOpen)).toEqual([])
  })
})

describe.each<FileFormat>(["tsv", "jsonl"])("a release as %s", (to) => {
  test.each([
    ["is as long as normalisation may make one", "\ufdfa".repeat(1900)],
    ["is as long as a query may be", "x".repeat(1 << 16)],
  ])("verifies untouched: a query that %s", async (_name, query) => {
    const { folder, input } = await release(
      ["1", "2", "3"].map((user) => ({ user, query, time: timeAfter(0) })),
      to,
    )
    const context = createContext({ workers: 1 })
    const checks = await verify({ release: await readRelease(folder), log: input.log }, context)
    expect(checks.filter(isOpen)).toEqual([])
  })
})

describe("what a file has besides its rows", () => {
  test("tsv and csv start with the names of the columns, jsonl repeats them", async () => {
    const first = async (to: FileFormat) => {
      const { folder } = await release(smallTown(), to, { urls: "drop" })
      return readFileSync(dataFile(folder), "utf8").split("\n")[0]
    }
    expect(await first("tsv")).toBe("AnonID\tQuery\tQueryTime")
    expect(await first("csv")).toBe("AnonID,Query,QueryTime")
    expect(Object.keys(JSON.parse(await first("jsonl")))).toEqual(["AnonID", "Query", "QueryTime"])
  })

  test("jsonl has numbers for ranks and null for what is not shown", async () => {
    const { folder } = await release(smallTown(), "jsonl", { k: 3 })
    const rows = readFileSync(dataFile(folder), "utf8").trimEnd().split("\n")
    const clicks = rows.map((line) => {
      const { ItemRank, ClickURL }: Record<string, unknown> = JSON.parse(line)
      return [ItemRank, ClickURL]
    })
    expect(clicks.filter(([rank]) => typeof rank === "number")).toHaveLength(4)
    expect(clicks.filter(([rank, url]) => rank === null && url === null)).toHaveLength(rows.length - 4)
  })
})
