import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { expectedReciprocal, tiedRank } from "#dist/kernels/retrieval/tied-rank.js"

const ordersOf = (items: number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) => ordersOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))

describe("the expected reciprocal rank", () => {
  test("is the mean over all orders of what weighs the same, 0 beyond the depth", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }),
        fc.nat(),
        fc.integer({ min: 1, max: 6 }),
        (weights, pick, depth) => {
          const item = pick % weights.length
          const falls = (order: number[]) =>
            order.every((at, i) => i === 0 || (weights[order[i - 1] ?? 0] ?? 0) >= (weights[at] ?? 0))
          const lists = ordersOf([...weights.keys()]).filter(falls)
          const values = lists.map((list) => (list.indexOf(item) < depth ? 1 / (list.indexOf(item) + 1) : 0))
          const mean = values.reduce((sum, value) => sum + value, 0) / values.length
          expect(expectedReciprocal(tiedRank(weights, item), depth)).toBeCloseTo(mean, 12)
        },
      ),
    )
  })
})
