import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { asDuration, asRoundPercent, counted } from "../../web/shared/format.ts"
import { durationMarks, linearScale, logScale } from "../../web/shared/scales.ts"

const positive = fc.double({ min: 1e-4, max: 1e10, noNaN: true })
/** 1, 2 or 5 times a power of ten. */
const isRound = (step: number) => ["1", "2", "5"].includes(step.toPrecision(6).replace(/[.0]|e.*/g, ""))

describe("the ticks of a chart", () => {
  test("are few, 1, 2 or 5 times a power of ten apart, and include the largest value", () => {
    fc.assert(
      fc.property(positive, (largest) => {
        const { ticks, place } = linearScale(largest)
        const [bottom, step = 0] = ticks
        expect(bottom).toBe(0)
        expect(isRound(step)).toBe(true)
        expect(ticks.length).toBeGreaterThan(2)
        expect(ticks.length).toBeLessThan(6)
        const top = ticks.at(-1) ?? 0
        expect(top).toBeGreaterThanOrEqual(largest * (1 - 1e-9))
        expect(top - step).toBeLessThan(largest)
        expect(place(top)).toBeCloseTo(1, 9)
      }),
    )
    for (const nothing of [0, Number.NaN, Number.NEGATIVE_INFINITY])
      expect(linearScale(nothing).ticks).toEqual([0, 0.5, 1])
  })

  test("are written without rounding errors", () => {
    expect(linearScale(0.14).ticks.map(asRoundPercent)).toEqual(["0 %", "5 %", "10 %", "15 %"].map(hard))
    expect(linearScale(0.28).ticks.map(asRoundPercent)).toEqual(["0 %", "10 %", "20 %", "30 %"].map(hard))
  })

  test.each([
    ["powers of ten", undefined],
    ["durations", durationMarks],
  ])("by %s cover all values, are few, and put 0 at the bottom", (_, marks) => {
    const value = fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 3e7, noNaN: true }))
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [smallest, largest] = [Math.min(a, b), Math.max(a, b)]
        const { ticks, place } = logScale({ smallest, largest, ...(marks && { marks }) })
        expect(ticks.length).toBeGreaterThan(1)
        expect(ticks.length).toBeLessThan(6)
        expect(place(0)).toBe(0)
        expect(place(ticks.at(-1) ?? 0)).toBeCloseTo(1, 9)
        if (largest > 0) expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest * (1 - 1e-9))
      }),
    )
  })

  test("of a delay are seconds, minutes, hours and days", () => {
    const { ticks } = logScale({ smallest: 2.5, largest: 3000, marks: durationMarks })
    expect(ticks.map(asDuration)).toEqual(["1 s", "10 s", "1 min", "10 min", "1 h"])
  })
})

const hard = (text: string) => text.replace(" ", "\u00a0")

describe("words of the live page", () => {
  test("have the right plural", () => {
    expect([counted(39, "record"), counted(1, "user"), counted(0, "user")]).toEqual(["39 records", "1 user", "0 users"])
    expect([1, 1200].map((value) => counted(value, "category", "categories"))).toEqual([
      "1 category",
      "1,200 categories",
    ])
  })

  test("write a duration as people do", () => {
    const said = [0, 0.02, 2.5, 64, 600, 10_020, 90_000, 200_000].map(asDuration)
    expect(said).toEqual(["0 s", "20 ms", "2.5 s", "64 s", "10 min", "2 h 47 min", "1 day", "2 days"])
  })
})
