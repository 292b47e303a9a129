import { existsSync } from "node:fs"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { withoutQueries } from "#dist/log/filter-log.js"
import { inspectLog } from "#dist/log/inspect-log.js"
import { aolText, type Search, smallTown, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { inspectByHand } from "./inspect-by-hand.ts"
import { read } from "./read.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1 })
const logOf = async (searches: readonly Search[]) => (await read(write(aolText(searches), "log.txt"))).log

const word = fc.constantFrom("the", "of", "hotel", "paris", "map", "a@b.com", "john", "smith", "&", "202-555-0143")
const search = fc.record({
  user: fc.nat({ max: 4 }).map((id) => `u${id}`),
  query: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")),
  time: fc.nat({ max: 3 }).map((minute) => timeAfter(minute * 60)),
  url: fc.constantFrom("", "http://a.example", "http://b.example"),
})
const searches = fc
  .array(search, { minLength: 1, maxLength: 30 })
  .map((rows) => rows.map(({ url, ...row }): Search => (url === "" ? row : { ...row, rank: 1, url })))

describe("an inspection", () => {
  test("equals counts made with Maps and Sets of strings", async () => {
    await fc.assert(
      fc.asyncProperty(searches, async (rows) => {
        const log = await logOf(rows)
        expect(await inspectLog(log, {}, context)).toEqual(inspectByHand(log))
      }),
      { numRuns: 60 },
    )
  })

  test("of a log without some queries equals the inspection of the rest", async () => {
    const rows = smallTown()
    const log = await logOf(rows)
    const leave = Uint8Array.from({ length: log.queries.size }, (_, id) => Number(log.queries.text(id) === "weather"))
    const left = await logOf(rows.filter(({ query }) => query.toLowerCase() !== "weather"))
    expect(await inspectLog(withoutQueries(log, leave), {}, context)).toEqual(await inspectLog(left, {}, context))
  })

  test("takes other function words than English ones", async () => {
    const log = await logOf([{ user: "a", query: "der hotel der", time: timeAfter(0) }])
    const frequent = async (functionWords: string[]) =>
      (await inspectLog(log, { functionWords }, context)).ngrams.lengths.map((length) => length.frequent)
    expect(await frequent(["der"])).toEqual([
      { unique: 1, total: 1 },
      { unique: 2, total: 2 },
      { unique: 1, total: 1 },
    ])
    expect((await frequent([]))[0]).toEqual({ unique: 2, total: 3 })
  })

  test("requires one user in ten thousand of a frequent n-gram, rounded down", async () => {
    const crowd = Array.from({ length: 39_999 }, (_, i) => ({ user: `u${i}`, query: `q${i}`, time: timeAfter(0) }))
    const three = [0, 1, 2].map((i) => ({ user: `u${i}`, query: "paris hotel", time: timeAfter(60) }))
    const two = [0, 1].map((i) => ({ user: `u${i}`, query: "rome hotel", time: timeAfter(90) }))
    const { ngrams } = await inspectLog(await logOf([...crowd, ...three, ...two]), {}, context)
    expect(ngrams.leastUsers).toBe(3)
    expect(ngrams.lengths.map(({ frequent }) => frequent)).toEqual([
      { unique: 2, total: 8 }, // paris, hotel
      { unique: 1, total: 3 }, // paris hotel
      { unique: 0, total: 0 },
    ])
  })
})

const excite = new URL("../../../shared/data/excite-small.log", import.meta.url).pathname

test.skipIf(!existsSync(excite))("the inspection of a real log of 1997 has the counts of Maps and Sets", async () => {
  const { log } = await read(excite)
  const found = await inspectLog(log, {}, context)
  expect(found).toEqual(inspectByHand(log))
  expect(found.size).toEqual({ rows: 3968, events: 3950, users: 863, queries: 2095, urls: 0 })
})
