import { describe, expect, test } from "vitest"
import { markdownTable } from "../../bench/markdown-table.ts"
import { differenceAtMost, sameNumbers } from "../../bench/peers/comparison.ts"

const finding = (numbers: Record<string, number>) => ({ count: 1, seconds: 1, ...numbers })

describe("the answer of another program", () => {
  const compare = sameNumbers(["queries", "rows"])

  test("is equal if all of its numbers are", () => {
    const same = finding({ queries: 3, rows: 1234 })
    expect(compare(same, same)).toEqual({ value: "equal: queries 3, rows 1,234", met: true })
  })

  test("is different if one number is, and the table says which", () => {
    expect(compare(finding({ queries: 3, rows: 10 }), finding({ queries: 3, rows: 11 }))).toEqual({
      value: "different: rows 11, not 10",
      met: false,
    })
  })

  test("may differ by what rounding does, and by no more", () => {
    const ours = finding({})
    expect(differenceAtMost(1e-9)(ours, finding({ difference: 4e-14 }))).toEqual({
      value: "largest difference 4e-14",
      met: true,
    })
    expect(differenceAtMost(1e-9)(ours, finding({ difference: 1e-3 })).met).toBe(false)
    expect(differenceAtMost(1e-9)(ours, finding({})).met).toBe(false)
  })
})

test("a table in Markdown fills short rows", () => {
  expect(markdownTable(["", "time"], [["a", "1 s"], ["b"]])).toBe("|  | time |\n|---|---|\n| a | 1 s |\n| b |  |\n")
})
