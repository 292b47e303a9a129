import { describe, expect, test } from "vitest"
import { riseTail } from "#dist/kernels/statistics/rise-tail.js"

/** All orders of the numbers below n. */
function ordersOf(n: number): number[][] {
  if (n === 0) return [[]]
  return ordersOf(n - 1).flatMap((order) =>
    Array.from({ length: n }, (_, place) => [...order.slice(0, place), n - 1, ...order.slice(place)]),
  )
}

const risesOf = (order: readonly number[]) => order.filter((value, i) => i > 0 && value > (order[i - 1] ?? 0)).length

describe("the chance of many rises in a random order", () => {
  test.each([1, 2, 3, 5, 7])("is the share of all orders of %i values", (n) => {
    const orders = ordersOf(n)
    for (let rises = 0; rises <= n; rises++) {
      const share = orders.filter((order) => risesOf(order) >= rises).length / orders.length
      expect(riseTail(rises, n)).toBeCloseTo(share, 12)
    }
  })

  test("is 1 in n! for an order that rises throughout", () => {
    expect(riseTail(11, 12) * 479_001_600).toBeCloseTo(1, 9)
  })
})
