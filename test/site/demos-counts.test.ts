import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { tableOfColumns } from "#dist/kernels/table.js"
import { counts } from "#dist/methods/counts/counts.js"
import { countsSearches } from "../../site/demos/counts/counts-log.ts"
import { deltas, epsilons, sayPromise, warnOfDelta } from "../../site/demos/counts/counts-words.ts"
import { countsOptionsOf, runCounts } from "../../site/demos/counts/run-counts.ts"
import { makeLog } from "../../site/demos/log/make-log.ts"

const searches = countsSearches(1000)
const log = makeLog(searches)
const limits = [
  { epsilon: "0.1", delta: "1e-10", maxQueries: 8 },
  { epsilon: "1", delta: "1e-6", maxQueries: 3 },
  { epsilon: "8", delta: "1e-3", maxQueries: 1 },
]
const seeded = (seed: number) => createContext({ seed, workers: 1 })

describe("the demo of counts", () => {
  test.each(limits)("shows the table of the method for the same seed: %o", async (limit) => {
    const { table, threshold } = await runCounts(log, limit, seeded(7))
    const result = await counts.run(log, countsOptionsOf(limit), seeded(7))
    if (result.kind !== "tables" || result.guarantee.model !== "dp") throw new Error("not a table")
    const { rows, cell } = tableOfColumns(result.tables.queries)
    expect(table).toEqual(Array.from({ length: rows }, (_, row) => ({ query: cell(row, 0), count: cell(row, 1) })))
    expect(Object.keys(result.tables)).toEqual(["queries"])
    expect(result.guarantee.mechanisms.map((mechanism) => mechanism.threshold)).toEqual([threshold])
  })

  test.each(limits)("shows no count under the threshold, and none of too few users: %o", async (limit) => {
    for (const seed of [1, 2, 3]) {
      const { queries, table, threshold, minUsers } = await runCounts(log, limit, seeded(seed))
      const shown = new Map(table.map(({ query, count }) => [query, count]))
      for (const { query, bounded, noisy, isShown } of queries) {
        expect(isShown).toBe(noisy !== undefined && noisy >= threshold)
        expect(noisy === undefined).toBe(bounded < minUsers)
        expect(shown.get(query)).toBe(isShown ? noisy : undefined)
      }
      expect(shown.size).toBe(queries.filter(({ isShown }) => isShown).length)
    }
  })

  test("counts users, and the first queries of each", async () => {
    const { queries } = await runCounts(log, { epsilon: "1", delta: "1e-6", maxQueries: 2 }, seeded(1))
    const own = new Map<string, string[]>()
    for (const { user, query } of searches) {
      const known = own.get(user) ?? []
      if (!known.includes(query)) own.set(user, [...known, query])
    }
    for (const { query, users, bounded } of queries) {
      expect(users).toBe([...own.values()].filter((texts) => texts.includes(query)).length)
      expect(bounded).toBe([...own.values()].filter((texts) => texts.slice(0, 2).includes(query)).length)
    }
  })

  test("says what ε and δ mean, and warns of a large δ", () => {
    expect(sayPromise("1", "1e-8")).toMatch(/a factor of at most 2\.72, and .* one in 100,000,000/)
    expect(sayPromise("8", "1e-6")).toMatch(/2,981.*promises little/)
    expect(warnOfDelta("1e-3", 3000)).toContain("Use at most 0.00003.")
    expect(warnOfDelta("1e-6", 3000)).toBe("")
    expect([...epsilons].map(Number)).toEqual([...epsilons].map(Number).sort((a, b) => a - b))
    expect([...deltas].map(Number)).toEqual([...deltas].map(Number).sort((a, b) => b - a))
  })
})
