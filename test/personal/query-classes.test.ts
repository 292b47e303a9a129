import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { clusterNumbers } from "#dist/personal/cluster-numbers.js"
import { queryClass } from "#dist/personal/query-classes.js"

const squares = (numbers: readonly number[]) => {
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length
  return numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}

/** The least sum of squares of sorted numbers in k runs, by trying every cut. */
function leastSquares(sorted: readonly number[], k: number): number {
  if (k === 1) return squares(sorted)
  return Math.min(
    ...Array.from({ length: sorted.length - k + 1 }, (_, i) => {
      return squares(sorted.slice(0, i + 1)) + leastSquares(sorted.slice(i + 1), k - 1)
    }),
  )
}

describe("classes of queries", () => {
  test("are separated by DP(q, R) at 0.44 and 0.82, and a query is distinct from μ on", () => {
    expect([0, 0.4399, 0.44, 0.8199, 0.82, 1].map((power) => queryClass(power))).toEqual([
      "ambiguous",
      "ambiguous",
      "medium",
      "medium",
      "distinct",
      "distinct",
    ])
  })

  test("may be computed from a log: bounds are in the middle between groups", () => {
    expect(clusterNumbers([0.9, 0.1, 0.5, 0.3, 0.95, 0.2, 0.55], { k: 3 }).map((bound) => bound.toFixed(6))).toEqual([
      "0.400000",
      "0.725000",
    ])
    expect(clusterNumbers([1, 1, 1], { k: 3 })).toEqual([])
    expect(clusterNumbers([2, 1, 2], { k: 3 })).toEqual([1.5])
    expect(clusterNumbers([], { k: 3 })).toEqual([])
  })

  test("have the least squares of all partitions", () => {
    const numbers = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 12 })
    fc.assert(
      fc.property(numbers, fc.integer({ min: 2, max: 4 }), (values, k) => {
        const sorted = values.toSorted((a, b) => a - b)
        const bounds = clusterNumbers(values, { k })
        const runs = [...bounds, Number.POSITIVE_INFINITY].map((to, i) => {
          return sorted.filter((value) => value < to && value >= (bounds[i - 1] ?? Number.NEGATIVE_INFINITY))
        })
        const distinct = new Set(values).size
        expect(bounds.length).toBe(Math.min(k, distinct) - 1)
        const found = runs.reduce((sum, run) => sum + (run.length === 0 ? 0 : squares(run)), 0)
        expect(found).toBeCloseTo(leastSquares(sorted, Math.min(k, distinct)), 9)
      }),
    )
  })
})
