import fc from "fast-check"
import { expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { orderMatters } from "#dist/methods/swap/order-matters.js"
import { type SwapSettings, swapArrivals } from "#dist/methods/swap/swap-log.js"

type Search = [user: number, text: number, time: number]

const context = createContext({ seed: 1, workers: 1 })

/** All orders of the searches in which times ascend. */
function ordersOf(searches: readonly Search[]): Search[][] {
  if (searches.length === 0) return [[]]
  const first = Math.min(...searches.map(([, , time]) => time))
  return searches.flatMap((one, i) =>
    one[2] === first ? ordersOf(searches.toSpliced(i, 1)).map((rest) => [one, ...rest]) : [],
  )
}

async function swapAll(searches: readonly Search[], settings: SwapSettings) {
  const column = (place: 0 | 1 | 2) => Int32Array.from(searches, (search) => search[place])
  const records = { user: column(0), text: column(1), time: column(2), topic: new Int32Array(searches.length) }
  const swapped = await swapArrivals(records, new Int32Array(searches.length), settings, context)
  const left = Array.from(swapped.sequence, (record) => searches[record]?.join()).sort()
  return { left, matters: orderMatters(records, swapped, settings) }
}

const searches = fc.uniqueArray(fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 4 }), fc.nat({ max: 4 })), {
  maxLength: 8,
  selector: (search) => search.join(),
})
const settings = fc.record({
  k: fc.integer({ min: 2, max: 3 }),
  mode: fc.constant("strict" as const),
  backlog: fc.integer({ min: 1, max: 2 }),
  minQueryUsers: fc.integer({ min: 1, max: 2 }),
  repeats: fc.constantFrom("keep" as const, "once" as const, "never" as const),
  cellTexts: fc.constantFrom("distinct" as const, "any" as const),
})

test("the same searches leave in every order of a second, unless the answer is that the order matters", async () => {
  const met = { same: 0, other: 0 }
  await fc.assert(
    fc.asyncProperty(searches, settings, async (given, rules) => {
      const found = await Promise.all(
        ordersOf(given)
          .slice(0, 200)
          .map((order) => swapAll(order, rules)),
      )
      const [first] = found
      const isSame = found.every(({ left }) => left.join(" ") === first?.left.join(" "))
      if (first?.matters === false) expect(isSame).toBe(true)
      met[isSame ? "same" : "other"]++
    }),
    { numRuns: 300 },
  )
  expect(met.other).toBeGreaterThan(0)
  expect(met.same).toBeGreaterThan(0)
})
