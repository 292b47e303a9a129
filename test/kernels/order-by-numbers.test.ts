import fc from "fast-check"
import { expect, test } from "vitest"
import { orderByNumbers } from "#dist/kernels/order-by-numbers.js"

test("rows come in the order of their columns, equal ones in the order they had", () => {
  const number = fc.oneof(fc.nat({ max: 3 }), fc.integer({ min: 0, max: 0xffffffff }))
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { maxLength: 60 }), (rows) => {
      const order = orderByNumbers([Uint32Array.from(rows, ([a]) => a), Uint32Array.from(rows, ([, b]) => b)])
      const byHand = rows.map((row, i) => ({ row, i })).sort((x, y) => x.row[0] - y.row[0] || x.row[1] - y.row[1])
      expect([...order]).toEqual(byHand.map(({ i }) => i))
    }),
  )
})
