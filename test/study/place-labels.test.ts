import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { placeLabels } from "#dist/study/frontier/place-labels.js"

const options = { width: 400, height: 300, letter: 6, line: 12, reach: 80 }

describe("labels of points", () => {
  test("overlap no other label and no point, and stay inside the drawing", () => {
    const place = fc.record({
      x: fc.double({ min: 0, max: 400, noNaN: true }),
      y: fc.double({ min: 0, max: 300, noNaN: true }),
      text: fc.string({ minLength: 1, maxLength: 20 }),
    })
    fc.assert(
      fc.property(fc.array(place, { maxLength: 25 }), (points) => {
        const boxes = placeLabels(points, options).map(({ x, y, width }) => [x, x + width, y - 6, y + 6] as const)
        for (const [left, right, top, bottom] of boxes) {
          expect(left >= 0 && right <= 400 && top >= 0 && bottom <= 300).toBe(true)
          for (const point of points) {
            const isInside = point.x > left && point.x < right && point.y > top && point.y < bottom
            expect(isInside).toBe(false)
          }
        }
        for (const [i, a] of boxes.entries()) {
          for (const b of boxes.slice(i + 1)) {
            expect(a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3]).toBe(false)
          }
        }
      }),
    )
  })

  test("are next to their points if there is room", () => {
    const [label] = placeLabels(
      [
        { x: 100, y: 100, text: "equality" },
        { x: 300, y: 200 },
      ],
      options,
    )
    expect(label).toMatchObject({ text: "equality", y: 100 })
    expect(label?.x).toBeLessThan(112)
  })
})
