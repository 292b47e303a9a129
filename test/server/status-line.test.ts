import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { statusLine } from "#dist/server/status-line.js"
import { figuresOf } from "./stream-figures.ts"

describe("the status line", () => {
  test("shows throughput, what waits and how long, what was withheld, and the risk", () => {
    const before = figuresOf({ now: 1_700_000_098_000, lines: 1_249_000, released: 899_999 })
    expect(statusLine(figuresOf(), before)).toBe(
      "in 500/s  out 0.5/s  held 280k  cats 3.1k  delay 4.1k/81k 2.5s/64s  withheld 70k  mem 812MB  risk 0.101/0.100",
    )
  })

  test("shows rates since the start at first, and none if the clock went back", () => {
    expect(statusLine(figuresOf(), undefined)).toMatch(/^in 13k\/s {2}out 9\.0k\/s {2}/)
    expect(statusLine(figuresOf(), figuresOf({ now: 1_700_000_200_000 }))).toMatch(/^in -\/s {2}out -\/s {2}/)
  })

  test("shows an alarm, a full disk, and a risk that is not known yet", () => {
    const { risk } = figuresOf()
    if (risk === undefined) throw new Error("there is a risk")
    const alarmed = [{ path: "entity/cat", named: 400, share: 0.5, lower: 0.4 }]
    expect(statusLine(figuresOf({ risk: { ...risk, alarm: true } }), undefined)).toMatch(/ALARM$/)
    expect(statusLine(figuresOf({ risk: { ...risk, alarmed }, state: "full" }), undefined)).toMatch(
      /ALARM in 1 {2}FULL$/,
    )
    expect(statusLine(figuresOf({ risk: undefined }), undefined)).toMatch(/risk -$/)
  })

  test("is one line of at most 120 columns, whatever the numbers", () => {
    const number = fc.oneof(
      fc.nat(),
      fc.double({ min: 0, max: 1e20, noNaN: true }),
      fc.constantFrom(9.96, 99.96, 999.6, 999_600),
    )
    const quantiles = fc.record({ p50: number, p99: number })
    const state = fc.constantFrom("running" as const, "full" as const, "draining" as const, "stopped" as const)
    const given = fc.record({
      state,
      lines: number,
      released: number,
      waiting: number,
      categories: number,
      delay: fc.record({ records: quantiles, seconds: quantiles }),
    })
    const risk = fc.record({ count: fc.nat({ max: 500 }), alarm: fc.boolean() })
    fc.assert(
      fc.property(given, number, risk, (changes, rss, { count, alarm }) => {
        const alarmed = Array.from({ length: count }, () => ({ path: "x", named: 1, share: 1, lower: 1 }))
        const found = figuresOf().risk
        const figures = figuresOf({ ...changes, withheld: { a: rss }, memory: { rss, heap: 0 } })
        if (found !== undefined) figures.risk = { ...found, alarm, alarmed }
        const line = statusLine(figures, undefined)
        expect(line.length).toBeLessThanOrEqual(120)
        expect(line).not.toMatch(/\n|NaN|undefined/)
      }),
    )
  })
})
