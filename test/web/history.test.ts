import { describe, expect, test } from "vitest"
import { extend, type Moment } from "../../web/stream/history.ts"
import { linearScale, logScale } from "../../web/stream/scales.ts"
import { figuresOf } from "../server/stream-figures.ts"

describe("the history of the live page", () => {
  const at = (seconds: number, lines: number) => figuresOf({ now: 1_700_000_100_000 + seconds * 1000, lines })

  test("has rates by the stream's own clock, and none where that went back or another run began", () => {
    let history: Moment[] = []
    const rates = [at(0, 0), at(2, 3000), at(1, 4000), at(3, 5000), { ...at(4, 10), startedAt: 1_700_000_103_000 }].map(
      (figures, i) => {
        history = extend(history, figures, i * 1000)
        return history.at(-1)?.inRate
      },
    )
    expect(rates).toEqual([Number.NaN, 1500, Number.NaN, 500, Number.NaN])
  })

  test("forgets what is older than 15 minutes", () => {
    let history: Moment[] = []
    for (let s = 0; s < 1000; s += 10) history = extend(history, at(s, s), s * 1000)
    expect(history).toHaveLength(91)
    expect(history[0].at).toBe(90_000)
  })
})

describe("the scales of a chart", () => {
  test("end at a round number that holds the largest value", () => {
    for (const largest of [0.0001, 0.14, 1, 9.99, 1234, 10_000, 8.2e9]) {
      const { ticks, place } = linearScale(largest)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest * (1 - 1e-9))
      expect(ticks.at(-1)).toBeLessThan(largest * 1.6)
      expect(place(0)).toBe(0)
      expect(place(ticks[1])).toBeCloseTo(0.5, 12)
    }
    for (const nothing of [0, Number.NaN, Number.NEGATIVE_INFINITY])
      expect(linearScale(nothing).ticks).toEqual([0, 0.5, 1])
  })

  test("by powers of ten hold all values, and put 0 at the bottom", () => {
    for (const [smallest, largest] of [
      [0.02, 3],
      [1, 1],
      [5, 8_000_000],
      [0, 0],
    ]) {
      const { ticks, place } = logScale(smallest, largest)
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.length).toBeLessThan(7)
      expect(place(0)).toBe(0)
      for (const value of [smallest, largest, ...ticks]) {
        expect(place(value)).toBeGreaterThanOrEqual(0)
        expect(place(value)).toBeLessThanOrEqual(1 + 1e-12)
      }
    }
  })
})
