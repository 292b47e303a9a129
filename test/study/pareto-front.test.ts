import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { markFront, type Tradeoff } from "#dist/study/frontier/pareto-front.js"

/** By the definition: no other point is at least as good in both and better in one. */
const byDefinition = (points: readonly Tradeoff[]) =>
  points.map(({ risk, use }) =>
    points.every((other) => {
      const isAsGood = other.risk <= risk && other.use >= use
      return !(isAsGood && (other.risk < risk || other.use > use))
    }),
  )

describe("the Pareto front", () => {
  test("has the points that no other point beats, and all points equal to one of them", () => {
    const few = fc.integer({ min: 0, max: 5 })
    fc.assert(
      fc.property(fc.array(fc.record({ risk: few, use: few }), { maxLength: 30 }), (points) => {
        expect(markFront(points)).toEqual(byDefinition(points))
      }),
    )
  })

  test("is the same by definition for points that differ little", () => {
    const any = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.record({ risk: any, use: any }), { maxLength: 40 }), (points) => {
        expect(markFront(points)).toEqual(byDefinition(points))
      }),
    )
  })
})
