import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { chiSquareTail } from "#dist/kernels/statistics/chi-square.js"
import { type Arrival, swapAll } from "../stream/collect.ts"
import { groupBy } from "../support/group-by.ts"

const arrivals = fc.array(
  fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 5 }), fc.nat({ max: 2 })).map(([user, text, category]): Arrival => {
    return [user, category * 6 + text, category]
  }),
  { maxLength: 120 },
)

/**
 * The cells of the strict rule, with plain lists: while k + 1 users wait in a category, the oldest unit of each leaves.
 */
function cellsByHand(
  given: readonly Arrival[],
  { k, backlog, distinctTexts }: { k: number; backlog: number; distinctTexts: boolean },
) {
  const lists = new Map<string, number[][]>()
  const cells: number[][] = []
  const withheld: number[] = []
  const sameText: number[] = []
  given.forEach(([user, text, category], record) => {
    const key = `${category} ${user}`
    const list = lists.get(key) ?? []
    const textOf = (unit: readonly number[] | undefined) => given[unit?.[0] ?? -1]?.[1]
    const unit = list.find((unit) => textOf(unit) === text)
    // Units at the same position of a category's lists leave with one cell.
    const others = [...lists].filter(([name]) => name.startsWith(`${category} `)).map(([, units]) => units[list.length])
    if (unit !== undefined) unit.push(record)
    else if (list.length >= backlog) withheld.push(record)
    else if (distinctTexts && others.some((other) => textOf(other) === text)) sameText.push(record)
    else list.push([record])
    lists.set(key, list)
    const there = [...lists].filter(([name, units]) => name.startsWith(`${category} `) && units.length > 0)
    if (there.length > k) cells.push(there.flatMap(([, units]) => units.shift() ?? []).sort((a, b) => a - b))
  })
  return { cells, withheld, sameText }
}

describe("strict swapping", () => {
  test("closes a cell as soon as k + 1 users wait, each with the oldest text and its repeats", () => {
    fc.assert(
      fc.property(
        arrivals,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        (...drawn) => {
          const [given, k, backlog, distinctTexts] = drawn
          const run = swapAll(given, { mode: "strict", k, backlog, distinctTexts })
          const { released, withheld, sameText, waiting } = run
          const cells = [...groupBy(released, ({ cell }) => cell)].map(([, members]) =>
            members.map(({ record }) => record).sort((a, b) => a - b),
          )
          const byHand = cellsByHand(given, { k, backlog, distinctTexts })
          expect(cells).toEqual(byHand.cells)
          expect(withheld).toEqual(byHand.withheld)
          expect(sameText).toEqual(byHand.sameText)
          expect(waiting).toBe(given.length - released.length - withheld.length - sameText.length)
        },
      ),
      { numRuns: 500 },
    )
  })

  test("gives each record of a cell a user of the cell who is not its own, each user once", () => {
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 5 }), (given, k) => {
        const { released } = swapAll(given, { mode: "strict", k })
        for (const [, members] of groupBy(released, ({ cell }) => cell)) {
          const own = new Set(members.map(({ record }) => given[record]?.[0]))
          const shown = [...groupBy(members, ({ as }) => as)].map(([as]) => given[as]?.[0])
          expect(own.size).toBe(k + 1)
          expect(new Set(shown)).toEqual(own)
          expect(shown.length).toBe(k + 1)
          for (const { record, as } of members) expect(given[as]?.[0]).not.toBe(given[record]?.[0])
          expect(new Set(members.map(({ record }) => given[record]?.[2])).size).toBe(1)
        }
      }),
      { numRuns: 300 },
    )
  })

  test("takes the users with the longest lists if k is lowered while more users wait", () => {
    const given: Arrival[] = [
      ...[0, 1, 2, 3, 4, 5].map((user): Arrival => [user, user, 0]),
      ...[3, 5, 5].map((user, i): Arrival => [user, 10 + i, 0]),
      [6, 20, 0],
    ]
    const { released } = swapAll(given, { mode: "strict", k: 10 }, (swapper, at) => {
      if (at === 9) swapper.setK(2)
    })
    const first = released.filter(({ cell }) => cell === 0).map(({ record }) => given[record]?.[0])
    expect(first).toEqual(expect.arrayContaining([3, 5]))
    expect(first.length).toBe(3)
    for (const { users, cell } of released) expect(users).toBe([7, 6, 4][cell] ?? users)
  })

  test("deals by a uniform derangement: the nine of four users are equally likely (false alarm 1 in 10⁶)", () => {
    const counts = new Map<string, number>()
    const rounds = 20_000
    const given = Array.from({ length: rounds * 4 }, (_, i): Arrival => [i % 4, i, 0])
    for (const [, members] of groupBy(swapAll(given, { mode: "strict", k: 3 }).released, ({ cell }) => cell)) {
      const dealt = members.sort((a, b) => a.record - b.record).map(({ as }) => as % 4)
      counts.set(dealt.join(), (counts.get(dealt.join()) ?? 0) + 1)
    }
    expect(counts.size).toBe(9)
    const expected = rounds / 9
    const statistic = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    expect(chiSquareTail(statistic, 8)).toBeGreaterThan(1e-6)
  })

  test("releases a cell in random order: each place is equally likely for the oldest (false alarm 1 in 10⁶)", () => {
    const places = [0, 0, 0, 0]
    const rounds = 20_000
    const given = Array.from({ length: rounds * 4 }, (_, i): Arrival => [i % 4, i, 0])
    swapAll(given, { mode: "strict", k: 3 }).released.forEach(({ record }, i) => {
      if (record % 4 === 0) places[i % 4] = (places[i % 4] ?? 0) + 1
    })
    const statistic = places.reduce((sum, count) => sum + (count - rounds / 4) ** 2 / (rounds / 4), 0)
    expect(chiSquareTail(statistic, 3)).toBeGreaterThan(1e-6)
  })
})
