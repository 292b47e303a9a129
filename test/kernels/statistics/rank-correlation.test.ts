import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { rankCorrelation } from "#dist/kernels/statistics/rank-correlation.js"

/** Pearson's correlation of ranks that are counted one by one. */
function correlateByHand(a: readonly number[], b: readonly number[]): number {
  const rank = (all: readonly number[], value: number) =>
    all.filter((other) => other < value).length + (all.filter((other) => other === value).length + 1) / 2
  const [x, y] = [a.map((value) => rank(a, value)), b.map((value) => rank(b, value))]
  const mean = (all: readonly number[]) => all.reduce((sum, value) => sum + value, 0) / all.length
  const product = (p: readonly number[], q: readonly number[]) =>
    p.reduce((sum, value, i) => sum + (value - mean(p)) * ((q[i] ?? 0) - mean(q)), 0)
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y))
}

describe("the rank correlation", () => {
  test("is Spearman's, equal values having the mean of their ranks", () => {
    const pairs = fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(pairs, (all) => {
        const [a, b] = [all.map(([x]) => x), all.map(([, y]) => y)]
        const [found, expected] = [rankCorrelation(a, b), correlateByHand(a, b)]
        if (new Set(a).size < 2 || new Set(b).size < 2) expect(found).toBeNaN()
        else expect(found).toBeCloseTo(expected, 10)
      }),
      { numRuns: 500 },
    )
  })

  test("is 1 for the same order, -1 for the opposite one, and as SciPy has it with ties", () => {
    expect(rankCorrelation([10, 5, 3], [100, 99, 2])).toBeCloseTo(1, 12)
    expect(rankCorrelation([1, 2, 3, 4], [9, 7, 5, 1])).toBeCloseTo(-1, 12)
    // scipy.stats.spearmanr([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])
    expect(rankCorrelation([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])).toBeCloseTo(0.8207826816681233, 12)
  })
})
