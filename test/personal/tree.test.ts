import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import type { Generalisation } from "#dist/personal/generalise.js"
import { greedyIl } from "#dist/personal/greedy-il.js"
import { discriminatingPower } from "#dist/personal/metrics.js"
import { optimal } from "#dist/personal/optimal.js"
import { type RiskLimit, riskOf } from "#dist/personal/risk.js"
import type { SeedProfile } from "#dist/personal/seed-profile.js"
import { generaliseTree } from "#dist/personal/tree/generalise-tree.js"
import { randomSituations, randomWords, situationOf } from "../support/synthetic-profiles.ts"

const powerOf = (seed: SeedProfile, { kept }: Generalisation) => (kept[0] === 0 ? 0 : discriminatingPower(seed, kept))

/** Five hundred people of different kinds, and the δ of each. */
const shapes = [
  { size: 12, sensitive: 4, children: 3 },
  { size: 14, sensitive: 8, children: 4 },
  { size: 13, sensitive: 12, children: 12 },
  { size: 15, sensitive: 10, children: 3 },
]
const cases = shapes.flatMap((shape, i) =>
  randomSituations(130, shape, i).map(({ seed, risk }, j) => ({
    seed,
    limits: [{ model: risk, delta: [0.05, 0.1, 0.3, 0.5][j % 4] }],
  })),
)

describe("the tree", () => {
  test("finds the optimum if families are small, on 520 random profiles", () => {
    for (const { seed, limits } of cases) {
      const found = generaliseTree(seed, limits)
      expect(found.gap).toBe(0)
      expect(powerOf(seed, found)).toBeCloseTo(powerOf(seed, optimal(seed, limits)), 9)
    }
  })

  test("is within 1 % of the optimum on average and within its stated gap, if all families count as large", () => {
    let best = 0
    let reached = 0
    let greedy = 0
    for (const { seed, limits } of cases) {
      const found = generaliseTree(seed, limits, { combinations: 1 })
      const [power, highest] = [powerOf(seed, found), powerOf(seed, optimal(seed, limits))]
      expect(highest).toBeLessThanOrEqual(power + (found.gap ?? Number.NaN) + 1e-9)
      for (const { model, delta } of found.kept[0] === 1 ? limits : [])
        expect(riskOf(seed, model, found.kept)).toBeLessThanOrEqual(delta)
      best += highest
      reached += power
      greedy += powerOf(seed, greedyIl(seed, limits))
    }
    expect(reached / best).toBeGreaterThan(0.99)
    expect(greedy / best).toBeLessThan(0.95) // otherwise these profiles would prove nothing
  })

  test("is never below GreedyIL, on wide and deep profiles too", () => {
    const shape = fc.record({
      seed: fc.nat(),
      size: fc.integer({ min: 2, max: 150 }),
      sensitive: fc.integer({ min: 0, max: 80 }),
      children: fc.integer({ min: 1, max: 100 }),
      delta: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(shape, ({ seed: number, delta, ...rest }) => {
        const { seed, risk } = situationOf(randomWords(seededRandom(number), rest))
        const limits = [{ model: risk, delta }]
        const [tree, il] = [generaliseTree(seed, limits), greedyIl(seed, limits)]
        expect(tree.kept[0]).toBe(il.kept[0])
        expect(powerOf(seed, tree)).toBeGreaterThanOrEqual(powerOf(seed, il) - 1e-12)
        if (tree.kept[0] === 1) expect(riskOf(seed, risk, tree.kept)).toBeLessThanOrEqual(delta)
      }),
      { numRuns: 60 },
    )
  })

  test("accepts a risk of exactly δ", () => {
    const { seed, risk } = situationOf({
      taxonomy: { "": 100, a: 4, b: 2, c: 1, d: 1 },
      profile: { a: 1, b: 1, c: 1, d: 1 },
      topics: { a: 1, b: 1, c: 1, d: 1 },
      sensitive: { a: 1, b: 1, c: 1, d: 1 },
    })
    const limits: RiskLimit[] = [{ model: risk, delta: 0.5 }]
    const { kept } = generaliseTree(seed, limits)
    expect(riskOf(seed, risk, kept)).toBe(0.5)
    expect(kept).toEqual(optimal(seed, limits).kept)
  })
})
