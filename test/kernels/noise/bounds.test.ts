import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { expBounds, power } from "#dist/kernels/noise/bounds.js"
import { floorExp } from "./exact-exp.ts"

const bits = fc.integer({ min: 1, max: 300 })

describe("bounds", () => {
  test("of e^−x contain the true value, and are a few units apart", () => {
    const part = fc.bigInt({ min: 1n, max: 10n ** 6n })
    fc.assert(
      fc.property(part, part, fc.nat({ max: 40 }), bits, (a, denominator, whole, precision) => {
        const x = { numerator: (a % denominator) + BigInt(whole) * denominator, denominator }
        const { low, high } = expBounds(x, precision)
        const exact = floorExp(x, precision + 64)
        expect(low << 64n <= exact && exact < high << 64n).toBe(true)
        expect(high - low <= 3n).toBe(true)
      }),
    )
  })

  test("of powers contain the true value, and are a few units apart", () => {
    const part = fc.bigInt({ min: 1n, max: 1000n })
    fc.assert(
      fc.property(part, part, fc.bigInt({ min: 1n, max: 200n }), bits, (a, b, exponent, precision) => {
        const [top, bottom] = a < b ? [a, b] : [b, a]
        const base = (wide: number) => ({
          low: (top << BigInt(wide)) / bottom,
          high: (top << BigInt(wide)) / bottom + 1n,
        })
        const { low, high } = power(base, exponent, precision)
        const [numerator, denominator] = [(top ** exponent) << BigInt(precision), bottom ** exponent]
        expect(low * denominator <= numerator && numerator <= high * denominator).toBe(true)
        expect(high - low <= 3n).toBe(true)
      }),
    )
  })
})
