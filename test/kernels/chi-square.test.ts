import { expect, test } from "vitest"
import { chiSquare, chiSquareBound } from "./chi-square.ts"

test("the statistic is Pearson's and the bound is that of the tables or a little above", () => {
  expect(chiSquare([10, 10, 10])).toBe(0)
  expect(chiSquare([8, 12])).toBeCloseTo(0.8)
  // The exact values, from the incomplete gamma function. The approximation lies above: false alarms are rarer than said.
  for (const [cells, exact] of [
    [2, 23.93],
    [3, 27.63],
    [10, 44.81],
    [24, 70.55],
  ]) {
    expect(chiSquareBound(cells, "1e-6")).toBeGreaterThan(exact)
    expect(chiSquareBound(cells, "1e-6")).toBeLessThan(exact * 1.2)
  }
})
