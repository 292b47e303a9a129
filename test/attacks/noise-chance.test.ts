import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createChance } from "#dist/attacks/membership/noise-chance.js"
import { createContext } from "#dist/kernels/context.js"
import { createLaplaceSampler } from "#dist/kernels/noise/laplace-sampler.js"

const ledger = {
  table: "queries",
  unit: "user",
  keys: "log",
  l0: 1,
  perKey: 1,
  l1: 1,
  minUsers: 3,
  epsilon: "1",
  delta: "1/100",
} as const

/** Mechanisms with both kinds of noise, and an exact count that may be shown. */
const cases = fc.record({
  scale: fc.integer({ min: 1, max: 12 }),
  tau: fc.integer({ min: 1, max: 40 }),
  total: fc.integer({ min: 0, max: 60 }),
  noise: fc.constantFrom("discrete-laplace" as const, "truncated-geometric" as const),
})

describe("the chance of what a mechanism shows", () => {
  test("sums to one over everything that it can show", () => {
    fc.assert(
      fc.property(cases, ({ scale, tau, total, noise }) => {
        const threshold = tau + 2
        const chance = createChance({ ...ledger, noise, scale: `${scale}`, tau, threshold })
        const count = { users: 3, total }
        let sum = chance(undefined, count, false)
        for (let noisy = threshold; noisy < total + 40 * scale + threshold; noisy++) sum += chance(noisy, count, false)
        expect(sum).toBeCloseTo(1, 9)
      }),
    )
  })

  test("is that of showing nothing if users are too few, except for public keys", () => {
    const chance = createChance({ ...ledger, noise: "discrete-laplace", scale: "2", tau: 4, threshold: 6 })
    expect(chance(undefined, { users: 2, total: 2 }, false)).toBe(1)
    expect(chance(8, { users: 2, total: 2 }, false)).toBe(0)
    expect(chance(8, { users: 2, total: 2 }, true)).toBeGreaterThan(0)
  })

  test("is how often it is drawn (false alarm 1 in 10,000, fixed seed)", () => {
    const { random } = createContext({ seed: 3 })
    const sampler = createLaplaceSampler({ scale: { numerator: 3n, denominator: 1n } }, random)
    const chance = createChance({ ...ledger, noise: "discrete-laplace", scale: "3", tau: 4, threshold: 6 })
    const trials = 40_000
    const drawn = Array.from({ length: trials }, () => 5 + sampler.draw())
    const share = (noisy: number | undefined) =>
      drawn.filter((value) => (noisy === undefined ? value < 6 : value === noisy)).length / trials
    for (const noisy of [undefined, 6, 9]) {
      const expected = chance(noisy, { users: 5, total: 5 }, false)
      expect(Math.abs(share(noisy) - expected)).toBeLessThan(4.2 * Math.sqrt((expected * (1 - expected)) / trials))
    }
  })
})
