import { describe, expect, test } from "vitest"
import { chiSquareTail, chiSquareTest } from "#dist/kernels/statistics/chi-square.js"
import { expectClose } from "./close.ts"

describe("χ²", () => {
  // scipy.stats.chi2.sf(x, df), SciPy 1.17.1
  test.each([
    [0.5, 1, 0.47950012218695337],
    [3.84, 1, 0.05004352124870519],
    [130, 1, 4.097776494844903e-30],
    [0.001, 2, 0.9995001249791693],
    [2.5, 3, 0.4752910833430205],
    [10, 10, 0.44049328506521257],
    [200, 10, 1.6139305336977317e-37],
    [60, 63, 0.5839273305262771],
    [120, 63, 2.010693881650102e-5],
    [1000, 200, 1.5008794119251172e-106],
    [1, 500, 1],
    [900, 1000, 0.9892827619087102],
    [101000, 100000, 0.012868840377233648],
    [0, 4, 1],
    [Number.POSITIVE_INFINITY, 4, 0],
  ])("beyond %d with %d degrees of freedom has SciPy's chance", (x, df, tail) => {
    expectClose(chiSquareTail(x, df), tail)
  })

  // scipy.stats.chisquare(observed, expected, ddof=ddof)
  test.each([
    { observed: [16, 18, 16, 14, 12, 12], ddof: 0, statistic: 2, df: 5, p: 0.8491450360846096 },
    {
      observed: [43, 52, 54, 40],
      expected: [47.25, 47.25, 47.25, 47.25],
      ddof: 0,
      statistic: 2.9365079365079363,
      df: 3,
      p: 0.4015183527259283,
    },
    {
      observed: [10, 20, 30, 40],
      expected: [12.5, 17.5, 35, 35],
      ddof: 1,
      statistic: 2.285714285714286,
      df: 2,
      p: 0.3189065573239704,
    },
    {
      observed: [1000, 10, 5],
      expected: [500, 400, 115],
      ddof: 0,
      statistic: 985.4673913043479,
      df: 2,
      p: 1.0197058960894779e-214,
    },
  ])("of $observed gives SciPy's statistic and chance", ({ observed, expected, ddof, statistic, df, p }) => {
    const found = chiSquareTest(observed, expected, { ddof })
    expectClose(found.statistic, statistic)
    expect(found.df).toBe(df)
    expectClose(found.p, p)
  })

  test("refuses expectations that do not add up to what was observed", () => {
    expect(() => chiSquareTest([1, 2], [1, 3])).toThrow(RangeError)
    expect(() => chiSquareTest([1, 2], [1, 1, 1])).toThrow(RangeError)
  })
})
