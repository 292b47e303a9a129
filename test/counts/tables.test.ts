import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { laplaceUpperTail } from "#dist/kernels/noise/laplace-distribution.js"
import { type ColumnTable, tableOfColumns } from "#dist/kernels/table.js"
import { readLog } from "#dist/log/read-log.js"
import { countsWith } from "#dist/methods/counts/counts.js"
import { type CountsParts, shippedParts } from "#dist/methods/counts/parts.js"
import type { Method } from "#dist/methods/method.js"
import { completeOptions, type OptionValues } from "#dist/release/anonymize.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { boundByHand, eventsOfHistory, keysOfHistory } from "./by-hand.ts"

const { write } = scratchFolder()

/** Without noise, and shown from a fixed count on, the tables can be computed by hand. */
const plainly = (threshold: number): Partial<CountsParts> => ({
  createNoise: () => ({ draw: () => 0 }),
  plan: (options) => {
    const plan = shippedParts.plan(options)
    return { ...plan, mechanisms: plan.mechanisms.map((mechanism) => ({ ...mechanism, threshold })) }
  },
})

async function tablesOf(rows: readonly Search[], given: OptionValues, parts: Partial<CountsParts>) {
  const context = createContext({ workers: 1, seed: 2 })
  const method: Method = countsWith({ ...shippedParts, ...parts })
  const { log } = await readLog(write(aolText(rows), "log.tsv"), {}, context)
  const made = await method.run(log, completeOptions(method, given), context)
  if (made.kind !== "tables") throw new Error("tables are expected")
  return made.tables
}

/** Keys and counts in the order of the rows. A key of two texts is joined by a tab. */
function rowsOf(table: ColumnTable): [string, number][] {
  const { rows, columns, cell } = tableOfColumns(table)
  return Array.from({ length: rows }, (_, row) => [
    columns
      .slice(0, -1)
      .map((_, column) => cell(row, column))
      .join("\t"),
    Number(cell(row, columns.length - 1)),
  ])
}

const search = fc.record({
  user: fc.integer({ min: 1, max: 8 }).map(String),
  query: fc.constantFrom("a", "b", "b c", "c", "ä"),
  time: fc.integer({ min: 0, max: 20 }).map((step) => timeAfter(step * 25)),
  click: fc.option(fc.record({ rank: fc.constant(1), url: fc.constantFrom("http://x", "http://y") })),
})
const searches = fc
  .array(search, { minLength: 1, maxLength: 80 })
  .map((list) => list.map(({ click, ...row }): Search => ({ ...row, ...click })))

/** Sums of what users add, by hand, for keys with at least this many users and this total. */
function byHand(
  rows: readonly Search[],
  table: string,
  { most, perKey, minUsers, least }: { most: number; perKey: number; minUsers: number; least: number },
): Map<string, number> {
  const users = new Map<string, number>()
  const totals = new Map<string, number>()
  for (const user of new Set(rows.map((row) => row.user))) {
    const own = rows.filter((row) => row.user === user)
    for (const [key, times] of boundByHand(keysOfHistory(own, table, 60), { most, perKey })) {
      users.set(key, (users.get(key) ?? 0) + 1)
      totals.set(key, (totals.get(key) ?? 0) + times)
    }
  }
  return new Map([...totals].filter(([key, total]) => total >= least && (users.get(key) ?? 0) >= minUsers))
}

const inKeyOrder = (counts: Iterable<[string, number]>) =>
  [...counts].sort(([a], [b]) => Buffer.compare(Buffer.from(a.replace("\t", "\0")), Buffer.from(b.replace("\t", "\0"))))

describe("the tables", () => {
  test("are bounded counts in key order, clicks and transitions of released queries alone", async () => {
    const numbers = fc.record({
      most: fc.integer({ min: 1, max: 4 }),
      perKey: fc.integer({ min: 1, max: 3 }),
      minUsers: fc.integer({ min: 1, max: 3 }),
      least: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(searches, numbers, async (rows, given) => {
        const { most, perKey, minUsers, least } = given
        const options = { epsilon: "1", delta: "1e-3", maxPerKey: perKey, minUsers, sessionGap: 1, scrub: "none" }
        const maxima = { maxQueries: most, maxClicks: most, maxTransitions: most }
        const tables = await tablesOf(rows, { ...options, ...maxima }, plainly(least))
        const queries = byHand(rows, "queries", given)
        const among = (key: string, table: string) => {
          const [first = "", second = ""] = key.split("\t")
          return queries.has(first) && (table === "clicks" || queries.has(second))
        }
        expect(rowsOf(tables.queries)).toEqual(inKeyOrder(queries))
        for (const table of ["clicks", "transitions"]) {
          const shown = [...byHand(rows, table, given)].filter(([key]) => among(key, table))
          expect(rowsOf(tables[table])).toEqual(inKeyOrder(shown))
        }
      }),
      { numRuns: 200 },
    )
  })

  test("of public keys have each key that noise alone lifts, as often as expected (5 standard errors)", async () => {
    const pool = Array.from({ length: 20_000 }, (_, i) => `key ${i}`).join("\n")
    const options = { epsilon: "1", mode: "pure", pool, threshold: 30, split: "1,0,0", maxQueries: 10 }
    const rows = [{ user: "1", query: "key 5", time: timeAfter(0) }]
    const { queries } = await tablesOf(rows, options, {})
    const chance = laplaceUpperTail(30, 10)
    const error = 5 * Math.sqrt(20_000 * chance * (1 - chance))
    expect(Math.abs(queries.rows - 20_000 * chance)).toBeLessThan(error)
    const values = rowsOf(queries).map(([, value]) => value)
    expect(Math.min(...values)).toBe(30)
    // Beyond the threshold, the noise is geometric with ratio a = e^(−1/10). Its mean is a/(1 − a), its variance
    // a/(1 − a)².
    const a = Math.exp(-0.1)
    const mean = values.reduce((sum, value) => sum + value - 30, 0) / values.length
    expect(Math.abs(mean - a / (1 - a))).toBeLessThan((5 * Math.sqrt(a)) / (1 - a) / Math.sqrt(values.length))
  })

  test("of a pool have public keys whatever their users, and keys of the log by their own rule", async () => {
    const rows = ["1", "2", "3"].map((user) => ({ user, query: "shared", time: timeAfter(0) }))
    const single = [{ user: "1", query: "one", time: timeAfter(60) }]
    const options = { epsilon: "1", delta: "1e-3", minUsers: 3, pool: "One\nnobody", split: "1,0,0" }
    const { queries } = await tablesOf([...rows, ...single], options, plainly(0))
    expect(rowsOf(queries)).toEqual([
      ["nobody", 0],
      ["one", 1],
      ["shared", 3],
    ])
  })
})

describe("the tables as published", () => {
  test("have queries above K, and every click and transition among them, of the first searches of users", async () => {
    const often = Array.from({ length: 6 }, (_, person): Search[] => [
      { user: `${person}`, query: "news", time: timeAfter(0), rank: 1, url: "http://news" },
      { user: `${person}`, query: "maps", time: timeAfter(20) },
      { user: `${person}`, query: "news", time: timeAfter(40) },
      { user: `${person}`, query: "late", time: timeAfter(60) }, // beyond the first three
    ]).flat()
    const own: Search = { user: "0", query: "news", time: timeAfter(10), rank: 1, url: "http://only-one" }
    const rare = { user: "9", query: "rare", time: timeAfter(0) }
    const options = { mode: "paper", noiseScale: "1", cutoff: 5, firstQueries: 3, firstClicks: 2, scrub: "none" }
    const tables = await tablesOf([...often, own, rare], options, { createNoise: () => ({ draw: () => 0 }) })
    expect(rowsOf(tables.queries)).toEqual([
      ["maps", 6],
      ["news", 12],
    ])
    expect(rowsOf(tables.clicks)).toEqual([
      ["news\thttp://news", 6],
      ["news\thttp://only-one", 1], // one person's click, shown with certainty: δ = 1
    ])
    expect(rowsOf(tables.transitions)).toEqual([
      ["maps\tnews", 5],
      ["news\tmaps", 6],
      ["news\tnews", 1], // a repeated query is a transition
    ])
  })

  test("are those of the six steps by hand, whatever the searches", async () => {
    const numbers = fc.record({
      cutoff: fc.integer({ min: 0, max: 6 }),
      firstQueries: fc.integer({ min: 1, max: 8 }),
      firstClicks: fc.integer({ min: 1, max: 6 }),
      pool: fc.constantFrom("", "b\t4\nnew\t9\nnew\na"),
      rule: fc.constantFrom({}, { sessionGap: 1 }, { repeats: "drop" }, { sessionGap: 2, repeats: "keep" }),
    })
    const noiseless = { createNoise: () => ({ draw: () => 0 }) }
    await fc.assert(
      fc.asyncProperty(searches, numbers, async (rows, { pool, rule, ...given }) => {
        const options = { ...given, mode: "paper", noiseScale: "1", scrub: "none", ...(pool && { pool }), ...rule }
        const tables = await tablesOf(rows, options, noiseless)
        const expected = publishByHand(rows, { ...given, pool: pool.split("\n"), rule })
        for (const name of ["queries", "clicks", "transitions"] as const)
          expect(rowsOf(tables[name])).toEqual(inKeyOrder(expected[name]))
      }),
      { numRuns: 200 },
    )
  })
})

/** Zhang, Yang & Singh 2016, §4, without noise. */
function publishByHand(
  rows: readonly Search[],
  given: {
    cutoff: number
    firstQueries: number
    firstClicks: number
    pool: readonly string[]
    rule: { sessionGap?: number; repeats?: string }
  },
) {
  const { cutoff, firstQueries, firstClicks, pool, rule } = given
  const usersOf = [...new Set(rows.map(({ user }) => user))]
  const all = usersOf.map((user) => eventsOfHistory(rows.filter((row) => row.user === user)))
  const frequency = (query: string) => all.flat().filter((event) => event.query === query).length
  const isUnique = (term: string) =>
    all.filter((events) => events.some(({ query }) => query.split(" ").includes(term))).length === 1
  const isClean = ({ query }: { query: string }) => frequency(query) >= 5 && !query.split(" ").some(isUnique)
  const clean = all.map((events) => events.filter(isClean))
  const add = (counts: Map<string, number>, key: string, n = 1) => counts.set(key, (counts.get(key) ?? 0) + n)
  const [counts, clicks, transitions] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ]
  for (const events of clean) {
    const first = events.slice(0, firstQueries)
    for (const { query } of first) add(counts, query)
    for (const [i, { query, time }] of first.entries()) {
      const last = first[i - 1]
      if (last === undefined || (rule.repeats === "drop" && last.query === query)) continue
      const minutes = (Date.parse(`${time}Z`) - Date.parse(`${last.time}Z`)) / 60_000
      if (minutes <= (rule.sessionGap ?? Number.POSITIVE_INFINITY)) add(transitions, `${last.query}\t${query}`)
    }
    const clicked = events.flatMap(({ query, clicks: own }) => own.map(({ url }) => `${query}\t${url}`))
    for (const key of clicked.slice(0, firstClicks)) add(clicks, key)
  }
  for (const line of pool.filter(Boolean)) {
    const [text = "", times = "1"] = line.split("\t")
    add(counts, text, Number(times))
  }
  const queries = new Map([...counts].filter(([, count]) => count > cutoff))
  const among = (key: string, both: boolean) => {
    const [first = "", second = ""] = key.split("\t")
    return queries.has(first) && (!both || queries.has(second))
  }
  return {
    queries,
    clicks: [...clicks].filter(([key]) => among(key, false)),
    transitions: [...transitions].filter(([key]) => among(key, true)),
  }
}

describe("the tables of Korolova et al.", () => {
  test("have queries of the first searches from T on, and clicks of the first clicks on public urls", async () => {
    const numbers = fc.record({
      firstQueries: fc.integer({ min: 1, max: 6 }),
      firstClicks: fc.integer({ min: 1, max: 6 }),
      poolUrls: fc.constantFrom("http://x", "http://x\nhttp://y\nhttp://z"),
    })
    await fc.assert(
      fc.asyncProperty(searches, numbers, async (rows, given) => {
        const { firstQueries, firstClicks, poolUrls } = given
        // At this ε, noise is almost always 0, and T is d + 1: one more than one user could add.
        const options = { mode: "korolova", epsilon: "100000", delta: "1e-9", threshold: 1, scrub: "none" }
        const tables = await tablesOf(rows, { ...options, ...given }, {})
        const [counts, clicks] = [new Map<string, number>(), new Map<string, number>()]
        const add = (to: Map<string, number>, key: string) => to.set(key, (to.get(key) ?? 0) + 1)
        for (const user of new Set(rows.map((row) => row.user))) {
          const events = eventsOfHistory(rows.filter((row) => row.user === user))
          for (const { query } of events.slice(0, firstQueries)) add(counts, query)
          const clicked = events.flatMap(({ query, clicks: own }) => own.map(({ url }) => `${query}\t${url}`))
          for (const key of clicked.slice(0, firstClicks)) add(clicks, key)
        }
        const shown = new Map([...counts].filter(([, count]) => count >= firstQueries + 1))
        const isShown = (key: string) => {
          const [query = "", url = ""] = key.split("\t")
          return shown.has(query) && poolUrls.split("\n").includes(url)
        }
        expect(rowsOf(tables.queries)).toEqual(inKeyOrder(shown))
        expect(rowsOf(tables.clicks)).toEqual(inKeyOrder([...clicks].filter(([key]) => isShown(key))))
        expect(Object.keys(tables)).toEqual(["queries", "clicks"])
      }),
      { numRuns: 200 },
    )
  })
})

test("pure mode refuses a threshold at which noise alone would fill a table and the memory", async () => {
  const pool = Array.from({ length: 14_000 }, (_, i) => `word ${i}`).join("\n")
  const searches = [{ user: "1", query: "word 1", time: timeAfter(0) }]
  const run = tablesOf(searches, { mode: "pure", epsilon: "1", threshold: 1, pool }, {})
  await expect(run).rejects.toThrow("Raise --threshold")
})
