import * as fc from "fast-check"
import { expect, test } from "vitest"
import { wilsonInterval } from "#dist/kernels/statistics/wilson-interval.js"

test("contains the observed share, and is between 0 and 1", () => {
  const counts = fc
    .integer({ min: 1, max: 5000 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))
  fc.assert(
    fc.property(counts, ([successes, n]) => {
      const [low, high] = wilsonInterval(successes, n)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(1)
      expect(low).toBeLessThanOrEqual(successes / n)
      expect(high).toBeGreaterThanOrEqual(successes / n)
    }),
  )
})

test.each([3, 12, 100])("begins at 0 if none of %i succeeded, and ends at 1 if all did", (n) => {
  expect(wilsonInterval(0, n)[0]).toBe(0)
  expect(wilsonInterval(n, n)[1]).toBe(1)
})
