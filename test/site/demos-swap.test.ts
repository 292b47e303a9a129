import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { makeLog } from "../../site/demos/log/make-log.ts"
import { runSwap, type SwapRun, stateAfter } from "../../site/demos/swap/run-swap.ts"
import { swapSearches } from "../../site/demos/swap/swap-log.ts"
import { groupBy } from "../support/group-by.ts"

const log = makeLog(swapSearches)
const run = (k: number, seed: number) => runSwap(log, { k }, createContext({ seed, workers: 1 }))
const leftOf = (swapped: SwapRun) => stateAfter(swapped, swapped.searches.length).left
const cases = [2, 3, 4, 5, 6].flatMap((k) => [1, 2, 3].map((seed) => [k, seed] as const))

describe("the demo of swap", () => {
  test.each(cases)(
    "closes cells of k + 1 users of one topic who all get another's search (k = %i, seed %i)",
    async (k, seed) => {
      const left = leftOf(await run(k, seed))
      expect(left.length).toBeGreaterThan(0)
      for (const cell of groupBy(left, (search) => String(search.cell)).values()) {
        const users = cell.map(({ user }) => user).sort()
        expect(new Set(users).size).toBe(k + 1)
        expect(cell).toHaveLength(k + 1)
        expect(cell.map(({ as }) => as).sort()).toEqual(users)
        for (const { user, as } of cell) expect(as).not.toBe(user)
        expect(new Set(cell.map(({ topic }) => topic)).size).toBe(1)
        expect(new Set(cell.map(({ query }) => query)).size).toBe(k + 1)
        expect(new Set(cell.map(({ name }) => name)).size).toBe(k + 1)
      }
    },
  )

  test.each(cases)("shows every search once: it waits, has left or is withheld (k = %i, seed %i)", async (k, seed) => {
    const swapped = await run(k, seed)
    for (let arrived = 0; arrived <= swapped.searches.length; arrived++) {
      const { left, waiting, refused } = stateAfter(swapped, arrived)
      const all = [...left, ...waiting, ...refused]
      expect(new Set(all)).toEqual(new Set(swapped.searches.slice(0, arrived)))
      expect(all).toHaveLength(arrived)
      for (const { topic } of waiting)
        expect(new Set(waiting.filter((one) => one.topic === topic).map(({ user }) => user)).size).toBeLessThanOrEqual(
          k,
        )
    }
  })

  test("uses a name in one cell alone, and no user of the log as a name", async () => {
    const left = leftOf(await run(3, 1))
    const cells = groupBy(left, ({ name }) => name)
    for (const searches of cells.values()) expect(new Set(searches.map(({ cell }) => cell)).size).toBe(1)
    for (const name of cells.keys()) expect(log.users.find(name)).toBe(-1)
  })

  test("deals anew without a seed", async () => {
    const deals = await Promise.all([1, 2, 3, 4, 5].map(() => runSwap(log, { k: 4 }, createContext({ workers: 1 }))))
    // Five cells of five users have 44⁵ dealings: by chance, all five runs would agree less than once in 10²⁰.
    expect(
      new Set(
        deals.map((one) =>
          leftOf(one)
            .map(({ as }) => as)
            .join(" "),
        ),
      ).size,
    ).toBeGreaterThan(1)
  })
})
