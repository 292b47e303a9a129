import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"
import { publish } from "../support/publish.ts"
import { multiset, releasedRows } from "../support/released-rows.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()

/** Few users and texts, so that they coincide. Some texts differ only in letter case and spaces. */
const search = fc.record({
  user: fc.constantFrom("1", "2", "3", "4", "5", "6"),
  query: fc.constantFrom("a", "A", " a ", "b b", "B  B", "c", "d", "e"),
  time: fc.nat({ max: 20_000 }).map(timeAfter),
  click: fc.option(fc.record({ rank: fc.integer({ min: 1, max: 9 }), url: fc.constantFrom("http://x", "http://y") })),
})
const searches = fc
  .array(search, { minLength: 1, maxLength: 40 })
  .map((list) => list.map(({ click, ...row }): Search => ({ ...row, ...click })))
const k = fc.integer({ min: 1, max: 6 })

const plain = (query: string) => query.trim().replace(/ +/g, " ").toLowerCase()

/** The oracle: users of each text, counted with sets of strings. */
function usersOf(log: readonly Search[]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  for (const { user, query } of log) users.set(plain(query), (users.get(plain(query)) ?? new Set()).add(user))
  return users
}

async function releaseOf(log: readonly Search[], options: Record<string, string | number>) {
  const folder = fresh()
  await publish(write(aolText(log)), folder, options)
  return releasedRows(folder)
}

describe("a release of plain k-anonymity", () => {
  test("has all rows of the queries that k users issued, and no other query", async () => {
    await fc.assert(
      fc.asyncProperty(searches, k, async (log, least) => {
        const users = usersOf(log)
        const rows = await releaseOf(log, { k: least, time: "exact", urls: "keep" })
        for (const { Query } of rows) expect(users.get(Query)?.size ?? 0).toBeGreaterThanOrEqual(least)
        const expected = log
          .filter(({ query }) => (users.get(plain(query))?.size ?? 0) >= least)
          .map(({ query, time, rank, url }) => {
            return { Query: plain(query), QueryTime: time, ItemRank: `${rank ?? ""}`, ClickURL: url ?? "" }
          })
        const columns = ["Query", "QueryTime", "ItemRank", "ClickURL"]
        expect(multiset(rows, columns)).toEqual(multiset(expected, columns))
      }),
      { numRuns: 100 },
    )
  })

  test("shows a url only when k users of the release clicked it", async () => {
    await fc.assert(
      fc.asyncProperty(searches, k, async (log, least) => {
        const users = usersOf(log)
        const released = log.filter(({ query }) => (users.get(plain(query))?.size ?? 0) >= least)
        const clickers = groupBy(released, ({ url }) => url)
        const shown = (url: string | undefined) =>
          new Set(clickers.get(url)?.map(({ user }) => user)).size >= least ? (url ?? "") : ""
        const rows = await releaseOf(log, { k: least })
        expect(rows.map(({ ClickURL }) => ClickURL).sort()).toEqual(released.map(({ url }) => shown(url)).sort())
      }),
      { numRuns: 60 },
    )
  })

  test("is the same whatever the order of the log's rows", async () => {
    const shuffled = searches.chain((log) =>
      fc.tuple(fc.constant(log), fc.shuffledSubarray(log, { minLength: log.length, maxLength: log.length })),
    )
    await fc.assert(
      fc.asyncProperty(shuffled, k, async ([log, other], least) => {
        const columns = ["Query", "QueryTime", "ItemRank", "ClickURL"]
        const [one, two] = [await releaseOf(log, { k: least }), await releaseOf(other, { k: least })]
        expect(multiset(two, columns)).toEqual(multiset(one, columns))
        const names = (rows: typeof one) => new Set(rows.map(({ AnonID }) => AnonID)).size
        expect(names(two)).toBe(names(one))
      }),
      { numRuns: 40 },
    )
  })
})
