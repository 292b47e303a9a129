import { describe, expect, test } from "vitest"
import { clusteredMean } from "#dist/kernels/statistics/clustered-mean.js"

describe("the mean of values in clusters", () => {
  test("has the interval of single values where every cluster is one", () => {
    // Values 1, 2, 3, 2 have Σ(y − m)² = 2, s² = 2/3, error √(s²/4).
    const { mean, interval } = clusteredMean([1, 2, 3, 2], { clusters: [0, 1, 2, 3] })
    expect(mean).toBe(2)
    expect(interval?.[1]).toBeCloseTo(2 + 1.959963984540054 * Math.sqrt(2 / 3 / 4), 12)
    expect(interval?.[0]).toBeCloseTo(2 - 1.959963984540054 * Math.sqrt(2 / 3 / 4), 12)
  })

  test("is no surer for values that a cluster repeats", () => {
    const once = clusteredMean([0, 1, 0.5], { clusters: [7, 8, 9] })
    const often = clusteredMean([0, 0, 1, 1, 0.5, 0.5], { clusters: [7, 7, 8, 8, 9, 9] })
    expect(often.mean).toBe(once.mean)
    expect(often.interval?.[0]).toBeCloseTo(once.interval?.[0] ?? 0, 12)
  })

  test("weighs values by their sizes", () => {
    expect(clusteredMean([4, 2], { clusters: [0, 1], sizes: [3, 1] }).mean).toBe(6 / 4)
  })

  test("says nothing of its error with one cluster, or without spread", () => {
    expect(clusteredMean([1, 0], { clusters: [5, 5] })).toEqual({ mean: 0.5 })
    expect(clusteredMean([0, 0], { clusters: [1, 2] })).toEqual({ mean: 0 })
    expect(clusteredMean([], { clusters: [] })).toEqual({ mean: 0 })
  })
})
