import { describe, expect, test } from "vitest"
import { newcombeInterval } from "#dist/kernels/statistics/newcombe-interval.js"

/** Newcombe 1998, "Interval estimation for the difference between independent proportions", Table II, method 10. */
const published: [[number, number], [number, number], [number, number]][] = [
  [
    [56, 70],
    [48, 80],
    [0.0524, 0.3339],
  ],
  [
    [9, 10],
    [3, 10],
    [0.1705, 0.809],
  ],
  [
    [6, 7],
    [2, 7],
    [0.0582, 0.8062],
  ],
  [
    [5, 56],
    [0, 29],
    [-0.0381, 0.1926],
  ],
  [
    [0, 10],
    [0, 20],
    [-0.1611, 0.2775],
  ],
  [
    [0, 10],
    [0, 10],
    [-0.2775, 0.2775],
  ],
  [
    [10, 10],
    [0, 20],
    [0.6791, 1],
  ],
  [
    [10, 10],
    [0, 10],
    [0.6075, 1],
  ],
]

describe("the interval of a difference of shares", () => {
  test.each(published)("of %j and %j is the published one", ([a, m], [b, n], [low, high]) => {
    const found = newcombeInterval({ successes: a, n: m }, { successes: b, n })
    expect(found[0]).toBeCloseTo(low, 4)
    expect(found[1]).toBeCloseTo(high, 4)
  })

  test("says nothing if nothing was observed", () => {
    expect(newcombeInterval({ successes: 0, n: 0 }, { successes: 0, n: 0 })).toEqual([-1, 1])
  })
})
