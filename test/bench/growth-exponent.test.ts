import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { growthExponent } from "../../bench/growth-exponent.ts"

const positive = fc.double({ min: 0.01, max: 100, noNaN: true })
const exponent = fc.double({ min: 0.5, max: 3, noNaN: true })
const sizes = [1, 4, 16, 36]

describe("the exponent of growth", () => {
  test.each([
    ["twice the time for twice the rows is 1", [1, 2], [3, 6], 1],
    ["four times the time for twice the rows is 2", [1, 2], [3, 12], 2],
    ["the same time for all rows is 0", [1, 4, 36], [7, 7, 7], 0],
    ["sizes between the ends count too", [1, 2, 4], [1, 8, 4], 1],
    ["a slow size in the middle of three does not tilt the line", [1, 4, 16], [1, 40, 16], 1],
  ])("%s", (_, rows, amounts, expected) => {
    const points = rows.map((size, i) => ({ size, amount: amounts[i] }))
    expect(growthExponent(points)).toBeCloseTo(expected, 12)
  })

  test("is that of a power of the size, in whatever unit", () => {
    fc.assert(
      fc.property(positive, exponent, (unit, b) => {
        const points = sizes.map((size) => ({ size: size * 1e6, amount: unit * size ** b }))
        expect(growthExponent(points)).toBeCloseTo(b, 9)
      }),
    )
  })

  test("is unknown for a single size", () => {
    expect(growthExponent([{ size: 1, amount: 1 }])).toBeNaN()
    expect(growthExponent([])).toBeNaN()
  })
})
