import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { powerLaw } from "#dist/synth/power-law.js"

describe("a power law", () => {
  test("gives each rank the share that the integral of its density has", () => {
    const exponents = fc.double({ min: 0.3, max: 2.5, noNaN: true }).filter((value) => Math.abs(value - 1) > 0.01)
    fc.assert(
      fc.property(
        exponents,
        fc.double({ min: 0.5, max: 50, noNaN: true }),
        fc.integer({ min: 2, max: 40 }),
        (...law) => {
          const [exponent, shift, size] = law
          const rank = powerLaw({ exponent, shift, size })
          const draws = 20_000
          const counts = new Array<number>(size).fill(0)
          for (let i = 0; i < draws; i++) counts[rank((i + 0.5) / draws)]++
          const primitive = (x: number) => (x + shift) ** (1 - exponent)
          const whole = primitive(size) - primitive(0)
          for (let r = 0; r < size; r++) {
            const share = (primitive(r + 1) - primitive(r)) / whole
            expect(Math.abs(counts[r] / draws - share)).toBeLessThan(2 / draws)
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  test("reaches neither below its first rank nor beyond its last", () => {
    const rank = powerLaw({ exponent: 1.3, shift: 2, size: 2 ** 40 })
    expect(rank(0)).toBe(0)
    expect(rank(1 - 2 ** -32)).toBeLessThan(2 ** 40)
  })
})
