import fc from "fast-check"
import { expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { seededRandom } from "#dist/kernels/random.js"
import { readLog } from "#dist/log/read-log.js"
import { CategoryCells, type CellSettings, type DealtSearch } from "#dist/methods/swap/category-cells.js"
import { orderArrivals } from "#dist/methods/swap/order-arrivals.js"
import { swapArrivals } from "#dist/methods/swap/swap-log.js"
import { positionSeeds } from "#dist/swapper/dealing-secret.js"
import { keyedCells } from "#dist/swapper/keyed-cells.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1, seed: 1 })
const secret = { key: Buffer.alloc(32, 5), version: 1 }

const paths = ["travel/rail", "health"] as const
const categoryOf = (query: string) => (query < "m" ? 0 : 1)

const searches: fc.Arbitrary<Search[]> = fc.uniqueArray(
  fc.record({
    user: fc.integer({ min: 1, max: 12 }).map((user) => `user ${user}`),
    query: fc.constantFrom("a", "b", "c", "d", "ü", "n", "o", "p", "q", "z z"),
    time: fc.integer({ min: -20, max: 60 }).map((step) => timeAfter(step)),
  }),
  { minLength: 20, maxLength: 200, selector: (search) => Object.values(search).join("\t") },
)

const settings: fc.Arbitrary<CellSettings> = fc.record({
  k: fc.integer({ min: 2, max: 4 }),
  backlog: fc.integer({ min: 1, max: 5 }),
  minQueryUsers: fc.constantFrom(1, 1, 3),
  repeats: fc.constantFrom("keep", "once", "never"),
  cellTexts: fc.constantFrom("distinct", "any"),
})

/** One line per released search, with everything that its receivers could compare. */
const lineOf = (found: Omit<DealtSearch<undefined>, "payload" | "place">, category: number) =>
  [category, found.cell, found.user, found.query, found.time, found.as, found.closed, found.users].join(" | ")

/** The releases of the method in memory. Cells are numbered in their category. */
async function swapInMemory(given: readonly Search[], chosen: CellSettings) {
  const { log } = await readLog(write(aolText(given), "log.tsv"), {}, context)
  const arrivals = orderArrivals(log, new Int32Array(log.queries.size), { seeds: positionSeeds(secret) })
  const category = arrivals.text.map((text) => categoryOf(log.queries.text(text)))
  const randomOfCell = keyedCells({ secret, pathOf: (number) => paths[number] ?? "", seeded: true })
  const swapped = await swapArrivals(arrivals, category, { ...chosen, mode: "strict", randomOfCell }, context)
  const cells = [...groupBy([...swapped.sequence], (record) => category[record] ?? -1).values()].map((records) => [
    ...new Set(records.map((record) => swapped.cell[record])),
  ])
  const at = (column: Int32Array, place = -1) => column[place] ?? -1
  const lines = Array.from(swapped.sequence, (record) => {
    const place = at(category, record)
    const own = cells.find((numbers) => numbers.includes(swapped.cell[record])) ?? []
    return lineOf(
      {
        cell: own.indexOf(swapped.cell[record]),
        user: log.users.text(at(arrivals.user, record)),
        query: log.queries.text(at(arrivals.text, record)),
        time: at(arrivals.time, record),
        as: log.users.text(at(arrivals.user, swapped.as[record])),
        closed: at(arrivals.time, swapped.closing[record]),
        users: at(swapped.users, record),
      },
      place,
    )
  })
  return { lines, withheld: swapped.withheld, log }
}

/** The same, from searches that come category by category in the order of their times. */
function swapAsStream(given: readonly Search[], chosen: CellSettings) {
  const lines: string[][] = []
  const totals = paths.map((path, category) => {
    const found: DealtSearch<undefined>[] = []
    const cells = new CategoryCells<undefined>(path, {
      ...{ settings: chosen, secret, random: seededRandom(9) },
      emit: (search) => found.push(search),
    })
    for (const { user, query, time } of given
      .filter((search) => categoryOf(search.query) === category)
      .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)))
      cells.take({ user, query, time: Date.parse(`${time.replace(" ", "T")}Z`) / 1000, payload: undefined })
    const end = cells.end()
    lines.push(found.map((search) => lineOf(search, category)))
    expect(found.map(({ place }) => place)).toEqual(found.map((_, place) => place))
    return end
  })
  return { lines, totals }
}

test("a category that comes as a stream has the cells of the whole log, under the same key", async () => {
  let released = 0
  await fc.assert(
    fc.asyncProperty(searches, settings, async (given, chosen) => {
      const { lines, withheld } = await swapInMemory(given, chosen)
      const stream = swapAsStream(given, chosen)
      for (const [category, found] of stream.lines.entries())
        expect(found).toEqual(lines.filter((line) => line.startsWith(`${category} |`)))
      released += lines.length
      const sum = (of: (totals: (typeof stream.totals)[number]) => number) =>
        stream.totals.reduce((all, one) => all + of(one), 0)
      expect({
        overBacklog: sum(({ overBacklog }) => overBacklog),
        sameText: sum(({ sameText }) => sameText),
        repeated: sum(({ repeated }) => repeated),
        rareText: sum(({ rareText }) => rareText),
        waiting: sum(({ waiting }) => waiting),
      }).toEqual(withheld)
      expect(sum(({ searches }) => searches)).toBe(given.length)
    }),
    { numRuns: 150, seed: 4 },
  )
  expect(released).toBeGreaterThan(2000)
})

test("a category that comes as a stream keeps only what waits in memory", () => {
  const cells = new CategoryCells<undefined>("travel", {
    settings: { k: 3, backlog: 2, minQueryUsers: 1, repeats: "keep", cellTexts: "distinct" },
    ...{ secret, random: seededRandom(2), emit: () => {} },
  })
  const random = seededRandom(3)
  for (let i = 0; i < 30_000; i++) {
    const user = `user ${random.below(2000)}`
    cells.take({ user, query: `query ${random.below(5000)}`, time: i, payload: undefined })
  }
  const { mostWaiting, released, waiting } = cells.end()
  expect(released).toBeGreaterThan(29_000)
  expect(mostWaiting).toBeLessThan(20)
  expect(waiting).toBeLessThan(20)
})
