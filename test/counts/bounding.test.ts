import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { shippedParts } from "#dist/methods/counts/parts.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { boundByHand, type HandBound, keysOfHistory } from "./by-hand.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1, seed: 6 })
const gap = 60

const search = fc.record({
  user: fc.constantFrom("1", "2", "3", "4"),
  query: fc.constantFrom("a", "b", "c", "d", "e"),
  time: fc.integer({ min: 0, max: 12 }).map((step) => timeAfter(step * 25)), // often several in the same second
  click: fc.option(fc.record({ rank: fc.integer({ min: 1, max: 3 }), url: fc.constantFrom("http://x", "http://y") })),
})
const searches = fc
  .array(search, { minLength: 1, maxLength: 40 })
  .map((list) => list.map(({ click, ...row }): Search => ({ ...row, ...click })))
const bounds = fc.record({ most: fc.integer({ min: 1, max: 4 }), perKey: fc.integer({ min: 1, max: 3 }) })
const tables = ["queries", "clicks", "transitions"] as const

const read = async (rows: readonly Search[]) => (await readLog(write(aolText(rows), "log.tsv"), {}, context)).log

/** Users and totals of each key, by its texts. */
async function count(
  log: SearchLog,
  table: (typeof tables)[number],
  bound: HandBound & { choose: "first" | "random" },
) {
  const among = new Uint8Array(log.queries.size).fill(1)
  if (table === "queries") {
    const { users, total } = await shippedParts.countQueries(log, bound, context)
    return new Map(Array.from(users, (n, query) => [log.queries.text(query), [n, total[query]]]))
  }
  const counts =
    table === "clicks"
      ? await shippedParts.countClicks(log, bound, { among }, context)
      : await shippedParts.countTransitions(log, bound, { among, rule: { gap, repeats: false } }, context)
  const texts = table === "clicks" ? log.urls : log.queries
  return new Map(
    Array.from(counts.users, (n, key) => [
      `${log.queries.text(counts.a[key])}\t${texts.text(counts.b[key])}`,
      [n, counts.total[key]],
    ]),
  )
}

function countByHand(rows: readonly Search[], table: string, bound: HandBound): Map<string, number[]> {
  const counts = new Map<string, number[]>()
  for (const user of new Set(rows.map((row) => row.user))) {
    const own = rows.filter((row) => row.user === user)
    for (const [key, times] of boundByHand(keysOfHistory(own, table, gap), bound)) {
      const [users = 0, total = 0] = counts.get(key) ?? []
      counts.set(key, [users + 1, total + times])
    }
  }
  return counts
}

const shown = (counts: Map<string, (number | undefined)[]>) => [...counts].filter(([, [users]]) => users !== 0).sort()

describe("what a user adds", () => {
  test.each(tables)("to %s is what their own history gives, bounded, whatever others do", async (table) => {
    await fc.assert(
      fc.asyncProperty(searches, bounds, async (rows, bound) => {
        const counted = await count(await read(rows), table, { ...bound, choose: "first" })
        expect(shown(counted)).toEqual(shown(countByHand(rows, table, bound)))
      }),
      { numRuns: 300 },
    )
  })

  test.each(tables)("to %s is never more than the bound when it is chosen at random", async (table) => {
    await fc.assert(
      fc.asyncProperty(searches, bounds, async (rows, bound) => {
        const log = await read(rows.map((row) => ({ ...row, user: "1" })))
        const counted = shown(await count(log, table, { ...bound, choose: "random" }))
        const keys = keysOfHistory(rows, table, gap)
        expect(counted.length).toBe(Math.min(bound.most, new Set(keys).size))
        for (const [key, [users, total]] of counted) {
          expect(users).toBe(1)
          expect(total).toBe(Math.min(bound.perKey, keys.filter((other) => other === key).length))
        }
      }),
      { numRuns: 100 },
    )
  })

  test("is chosen at random without favour: each of 5 queries stays in 2 of 5 draws (χ² at 10⁻⁶)", async () => {
    const rows = ["a", "b", "c", "d", "e"].flatMap((query, i) =>
      Array.from({ length: 4000 }, (_, user) => ({ user: `${user}`, query, time: timeAfter(i) })),
    )
    const counted = await count(await read(rows), "queries", { most: 2, perKey: 1, choose: "random" })
    // Each count is Binomial(4000, 0.4), and they sum to 8000. Σ (n − 1600)²/(4000·0.4·0.6)·(4/5) is χ² with 4 degrees
    // of freedom. The tail beyond 33.4 is 10⁻⁶.
    const spread = [...counted.values()].reduce((sum, [n = 0]) => sum + (n - 1600) ** 2 / 960, 0)
    expect(spread * 0.8).toBeLessThan(33.4)
  })
})
