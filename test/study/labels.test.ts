import fc from "fast-check"
import { expect, test } from "vitest"
import { spreadLabels } from "#dist/study/figures/curves.js"

test("names of curves keep their order and do not overlap, as long as there is room", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 15 }), (heights) => {
      const gap = 0.06
      const labels = spreadLabels(
        heights.map((y, i) => ({ y, i })),
        { gap },
      )
      const sorted = heights.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y)
      expect(labels.map(({ i }) => i)).toEqual(sorted.map(({ i }) => i))
      labels.forEach(({ y }, i) => {
        expect(y).toBeLessThanOrEqual(1)
        if (i > 0) expect(y - labels[i - 1].y).toBeGreaterThan(gap - 1e-9)
      })
    }),
  )
})
