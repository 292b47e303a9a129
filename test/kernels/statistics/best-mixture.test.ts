import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { bestMixture } from "#dist/kernels/statistics/best-mixture.js"

const likelihood = (chances: readonly number[], q: number, share: number) =>
  chances.reduce((sum, chance) => sum + Math.log(share * chance + (1 - share) * q), 0)

describe("the best mixture with one chance for all", () => {
  test("is as likely as any other share", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 }),
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        (chances, q) => {
          const best = likelihood(chances, q, bestMixture(chances, q))
          for (let share = 0; share <= 1; share += 1 / 64) {
            expect(best).toBeGreaterThanOrEqual(likelihood(chances, q, share) - 1e-9)
          }
        },
      ),
    )
  })

  test("trusts chances that are all better, or all worse, wholly or not at all", () => {
    expect([bestMixture([0.5, 0.3], 0.2), bestMixture([0.1, 0.1], 0.2), bestMixture([], 0.2)]).toEqual([1, 0, 0])
  })
})
