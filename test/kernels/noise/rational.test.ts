import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { approximate, laplaceScale, rationalOf } from "#dist/kernels/noise/rational.js"

describe("a decimal text", () => {
  test.each([
    ["0.1", 1n, 10n],
    ["2.5e-3", 1n, 400n],
    ["12E2", 1200n, 1n],
    ["-0.75", -3n, 4n],
    ["1.", 1n, 1n],
    ["0", 0n, 1n],
  ])("%s is read exactly", (text, numerator, denominator) => {
    expect(rationalOf(text)).toEqual({ numerator, denominator })
  })

  test("that is no number is refused", () => {
    for (const text of ["", "ε", ".5", "1/2", "NaN", "Infinity", "1e99999", "0x10"]) {
      expect(() => rationalOf(text), text).toThrow(RangeError)
    }
  })

  test("comes back as the double it was written from", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-200, max: 1e200, noNaN: true }), fc.constantFrom(1, -1), (size, sign) => {
        const x = sign * size
        const back = approximate(rationalOf(String(x)))
        // 80 bits are cut off before rounding, so it may be the neighbouring double.
        expect(Math.abs(back - x)).toBeLessThanOrEqual(size * Number.EPSILON)
      }),
    )
  })
})

describe("the scale of noise", () => {
  test("is the sensitivity over ε, exactly", () => {
    expect(laplaceScale({ sensitivity: 20n, epsilon: "0.3" })).toEqual({ numerator: 200n, denominator: 3n })
  })

  test("needs a sensitivity and an ε above 0", () => {
    expect(() => laplaceScale({ sensitivity: 1n, epsilon: "0" })).toThrow(RangeError)
    expect(() => laplaceScale({ sensitivity: 1n, epsilon: "-1" })).toThrow(RangeError)
    expect(() => laplaceScale({ sensitivity: 0n, epsilon: "1" })).toThrow(RangeError)
  })
})
