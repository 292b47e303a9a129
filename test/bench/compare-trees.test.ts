import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { compareRuns, comparisonTable } from "../../bench/compare-trees.ts"

const which = { bench: "noise", name: "scale 10" }
const runsOf = (...times: number[]) => times.map((seconds) => ({ count: 100, seconds }))

describe("a bench in two trees", () => {
  test.each([
    ["slower", [1, 1, 1], [1.2, 1.2, 1.2], 1.2],
    ["faster", [1, 1, 1], [0.8, 0.8, 0.8], 0.8],
    ["same", [1, 1, 1], [1.09, 1.09, 1.09], 1.09],
    ["same", [1, 1, 1.4], [1.2, 1.2, 1.2], 1.2], // the spread of 20 % hides it
    ["slower", [1, 1, 1.4], [1.4, 1.4, 1.4], 1.4],
    ["same", [1, 1, 9], [1, 1, 1], 1], // one slow run of three
  ] as const)("is %s if it takes %j there and %j here", (verdict, reference, here, ratio) => {
    const comparison = compareRuns(which, { reference: runsOf(...reference), here: runsOf(...here) })
    expect(comparison.verdict).toBe(verdict)
    expect(comparison.ratio).toBeCloseTo(ratio)
  })

  test("is compared by the time for the same work", () => {
    const reference = [{ count: 100, seconds: 1 }]
    expect(compareRuns(which, { reference, here: [{ count: 200, seconds: 2 }] })).toMatchObject({
      ratio: 1,
      here: 2,
      verdict: "same",
    })
  })

  test("is not compared if a tree does not have it, or if it fails", () => {
    const runs = runsOf(1)
    expect(compareRuns(which, { reference: "missing", here: runs })).toEqual({
      ...which,
      reference: "missing",
      here: 1,
      verdict: "not compared",
    })
    expect(compareRuns(which, { reference: runs, here: "failed" }).verdict).toBe("not compared")
  })

  test("is slower in one direction if and only if it is faster in the other", () => {
    const runs = fc.array(fc.double({ min: 0.1, max: 10, noNaN: true }), { minLength: 1, maxLength: 7 })
    const opposite = { slower: "faster", faster: "slower", same: "same", "not compared": "not compared" }
    fc.assert(
      fc.property(runs, runs, (a, b) => {
        const [reference, here] = [runsOf(...a), runsOf(...b)]
        const there = compareRuns(which, { reference: here, here: reference })
        expect(compareRuns(which, { reference, here }).verdict).toBe(opposite[there.verdict])
      }),
    )
  })

  test("is a line of a table, which marks what is slower", () => {
    const comparisons = [
      compareRuns(which, { reference: runsOf(0.5, 0.5), here: runsOf(1.5, 1.5) }),
      compareRuns({ bench: "noise", name: "new" }, { reference: "missing", here: runsOf(2) }),
    ]
    expect(comparisonTable(comparisons, "v1")).toBe(
      [
        "case                  v1    here  ratio  spread",
        "noise: scale 10   500 ms  1.50 s   3.00    ±0 %  SLOWER",
        "noise: new       missing  2.00 s                 not compared",
        "",
      ].join("\n"),
    )
  })
})
