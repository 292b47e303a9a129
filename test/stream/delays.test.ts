import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { RecentQuantiles } from "#dist/stream/live/delays.js"

/** The ⌈q n⌉-th smallest. */
const exact = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.ceil(q * values.length) - 1] ?? 0

describe("quantiles of the last minutes", () => {
  const value = fc.oneof(
    fc.double({ min: 2 ** -10, max: 2 ** 40, noNaN: true, maxExcluded: true }),
    fc.double({ min: 2 ** -10, max: 100, noNaN: true }),
  )

  test("are those of all values, within 1 in 32", () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 200 }), (values) => {
        const recent = new RecentQuantiles()
        for (const one of values) recent.add(one, 0)
        const { p50, p99 } = recent.quantiles(0)
        for (const [found, right] of [
          [p50, exact(values, 0.5)],
          [p99, exact(values, 0.99)],
        ]) {
          expect(Math.abs(found - right)).toBeLessThanOrEqual(right / 32 + right * 2 ** -23)
        }
      }),
      { numRuns: 500 },
    )
  })

  test("of whole numbers are whole, and exact below 32", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 31 }), { minLength: 1 }), (values) => {
        const recent = new RecentQuantiles({ whole: true })
        for (const one of values) recent.add(one, 0)
        expect(recent.quantiles(0)).toEqual({ p50: exact(values, 0.5), p99: exact(values, 0.99) })
      }),
    )
    const recent = new RecentQuantiles({ whole: true })
    recent.add(1_000_003, 0)
    expect(Number.isInteger(recent.quantiles(0).p50)).toBe(true)
  })

  test("leave out older values, and keep all values younger by a slice", () => {
    const times = fc.array(fc.tuple(fc.nat({ max: 40_000 }), fc.integer({ min: 1, max: 31 })), { minLength: 1 })
    fc.assert(
      fc.property(times, (steps) => {
        const recent = new RecentQuantiles({ minutes: 1, slices: 6, whole: true })
        const all: { at: number; value: number }[] = []
        let now = 1_700_000_000_000
        for (const [step, value] of steps) {
          now += step
          recent.add(value, now)
          all.push({ at: now, value })
        }
        const { p50 } = recent.quantiles(now)
        const among = (span: number) => all.filter(({ at }) => now - at < span).map((one) => one.value)
        const [young, old] = [among(50_000), among(60_000)]
        expect(old).toContain(p50)
        // Values come in order of their times, so what counts is a tail of them.
        const tails = Array.from({ length: old.length - young.length + 1 }, (_, i) => exact(old.slice(i), 0.5))
        expect(tails).toContain(p50)
      }),
    )
  })

  test("count a negative or missing delay as 0, and a delay beyond the range as the largest", () => {
    const recent = new RecentQuantiles()
    expect(recent.quantiles(0)).toEqual({ p50: 0, p99: 0 })
    for (const one of [-5, -0, Number.NaN, 0, 2 ** -11]) recent.add(one, 0)
    expect(recent.quantiles(0)).toEqual({ p50: 0, p99: 0 })
    const large = new RecentQuantiles()
    large.add(Number.POSITIVE_INFINITY, 0)
    large.add(1e300, 0)
    expect(large.quantiles(0).p50).toBe(2 ** 40 * (1 - 1 / 64))
  })

  test("survive a clock that goes back by hours: no value is lost, and none stays for ever", () => {
    const recent = new RecentQuantiles({ minutes: 1, slices: 6, whole: true })
    const later = 10 * 3_600_000
    recent.add(7, later)
    recent.add(9, 1000)
    expect(recent.quantiles(1000)).toEqual({ p50: 7, p99: 9 })
    for (let now = 1000; now <= 51_000; now += 1000) recent.quantiles(now)
    expect(recent.quantiles(59_000).p99).toBe(9)
    expect(recent.quantiles(71_000)).toEqual({ p50: 0, p99: 0 })
  })

  test("start again when the clock jumps ahead", () => {
    const recent = new RecentQuantiles({ minutes: 1, slices: 6, whole: true })
    recent.add(7, 0)
    recent.add(9, 10 * 3_600_000)
    expect(recent.quantiles(10 * 3_600_000)).toEqual({ p50: 9, p99: 9 })
    expect(recent.quantiles(100 * 3_600_000)).toEqual({ p50: 0, p99: 0 })
  })
})
