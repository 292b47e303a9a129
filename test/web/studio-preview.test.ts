import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { sayChance } from "../../web/studio/preview/say-chance.ts"
import { sayWithheld } from "../../web/studio/preview/withheld-words.ts"
import { nextSorting, sortRows, sortState } from "../../web/studio/sort-rows.ts"

describe("a sorted table", () => {
  test("has rows without a value last, in both directions, and loses none", () => {
    const values = fc.array(fc.option(fc.integer(), { nil: undefined }))
    fc.assert(
      fc.property(values, fc.boolean(), (rows, descending) => {
        const sorted = sortRows(rows, (value) => value, { descending })
        const known = sorted.filter((value) => value !== undefined)
        expect(sorted.slice(0, known.length)).toEqual(known)
        expect(sorted).toHaveLength(rows.length)
        expect(known).toEqual(known.toSorted((a, b) => (descending ? b - a : a - b)))
      }),
    )
  })

  test("sorts words with their numbers", () => {
    const names = ["equality, k 10", "equality, k 5", "affinity, k 50"]
    expect(sortRows(names, (name) => name, { descending: false })).toEqual([
      "affinity, k 50",
      "equality, k 5",
      "equality, k 10",
    ])
  })

  test("turns round at a second press, and says so", () => {
    const once = nextSorting(undefined, "risk")
    const twice = nextSorting(once, "risk")
    expect([undefined, once, twice].map((sorting) => sortState(sorting, "risk"))).toEqual([
      "none",
      "ascending",
      "descending",
    ])
    expect(nextSorting(twice, "risk").descending).toBe(false)
    expect(nextSorting(once, "use")).toEqual({ column: "use", descending: false })
  })
})

describe("what was withheld", () => {
  test("is said in plain words, with what is counted", () => {
    expect(sayWithheld({ reason: "queries under k", rows: 7 })).toEqual({
      count: 7,
      unit: "queries",
      why: "Too few people searched for it.",
    })
    expect(sayWithheld({ reason: "queries with an identifier: email", rows: 1 })).toEqual({
      count: 1,
      unit: "queries",
      why: "They hold something that identifies a person: email.",
    })
  })

  test("a reason without words of its own is shown as the receipt has it", () => {
    expect(sayWithheld({ reason: "words of all searches", rows: 3 })).toEqual({
      count: 3,
      unit: "words",
      why: "Words of all searches.",
    })
    expect(sayWithheld({ reason: "constructor", rows: 3 }).why).toBe("Constructor.")
  })
})

describe("the chance of a query", () => {
  test("is said only where it matters, and never as a certainty that it is not", () => {
    const chance = (low: number, high: number) => sayChance({ verdict: "depends on chance", chance: { low, high } })
    expect(sayChance({ verdict: "released", chance: { low: 1, high: 1 } })).toBe("")
    expect(chance(0.5, 0.5)).toBe("Its chance is 50.0\u00a0%.")
    expect(chance(1e-9, 1 - 1e-9)).toBe("Its chance is between nearly 0 and nearly 1.")
  })
})
