import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { kolmogorovSmirnov } from "#dist/kernels/statistics/kolmogorov-smirnov.js"
import { expectClose } from "./close.ts"

/** Fixed samples of any size: multiples modulo a prime, shifted by `shift`. */
function spread(size: number, { step, prime, shift = 0 }: { step: number; prime: number; shift?: number }): number[] {
  return Array.from({ length: size }, (_, i) => (((i + 1) * step) % prime) / prime + shift)
}

/** Over every order of m and n values: the share of orders whose distance is at least `distance` (times mn). */
function countOrders(m: number, n: number, distance: number): number {
  const count = (i: number, j: number, reached: boolean): [number, number] => {
    const now = reached || Math.abs(i * n - j * m) >= distance
    if (i === m && j === n) return [now ? 1 : 0, 1]
    const [hitsA, allA] = i < m ? count(i + 1, j, now) : [0, 0]
    const [hitsB, allB] = j < n ? count(i, j + 1, now) : [0, 0]
    return [hitsA + hitsB, allA + allB]
  }
  const [hits, all] = count(0, 0, false)
  return hits / all
}

describe("two samples' distance", () => {
  // scipy.stats.ks_2samp(a, b, method="exact"), SciPy 1.17.1
  test.each([
    { name: "3 and 4", a: [0.1, 0.4, 0.7], b: [0.2, 0.3, 0.9, 1.1], statistic: 0.5, p: 0.6571428571428571 },
    {
      name: "30 and 40 apart",
      a: spread(30, { step: 1, prime: 31 }),
      b: spread(40, { step: 1, prime: 41, shift: 1 }),
      statistic: 1,
      p: 3.6135170070159586e-20,
    },
    {
      name: "7 and 6 with ties",
      a: [1, 1, 2, 3, 3, 3, 5],
      b: [1, 2, 2, 4, 5, 5],
      statistic: 0.35714285714285715,
      p: 0.7115384615384616,
    },
    { name: "equal samples", a: [1, 2, 3], b: [3, 2, 1], statistic: 0, p: 1 },
    {
      name: "200 and 300",
      a: spread(200, { step: 37, prime: 211 }),
      b: spread(300, { step: 101, prime: 307, shift: 0.12 }),
      statistic: 0.135,
      p: 0.023542261829286953,
    },
    {
      name: "300 and 300",
      a: spread(300, { step: 37, prime: 311 }),
      b: spread(300, { step: 101, prime: 307, shift: 0.5 }),
      statistic: 0.5133333333333333,
      p: 2.194013320306139e-36,
    },
    {
      name: "150 and 400",
      a: spread(150, { step: 29, prime: 151 }),
      b: spread(400, { step: 101, prime: 401, shift: 0.03 }),
      statistic: 0.035833333333333335,
      p: 0.9982042512797135,
    },
    {
      name: "300 and 200 far apart",
      a: spread(300, { step: 37, prime: 311 }),
      b: spread(200, { step: 101, prime: 211, shift: 0.9 }),
      statistic: 0.9116666666666666,
      p: 1.522828542088631e-107,
    },
  ])("of $name has SciPy's statistic and exact chance", ({ a, b, statistic, p }) => {
    const found = kolmogorovSmirnov(a, b)
    expectClose(found.statistic, statistic)
    expectClose(found.p, p)
    expectClose(kolmogorovSmirnov(b, a).p, p)
  })

  test("has the chance that counting every order gives", () => {
    const sample = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const { statistic, p } = kolmogorovSmirnov(a, b)
        const distance = Math.round(statistic * a.length * b.length)
        expectClose(p, countOrders(a.length, b.length, distance))
      }),
    )
  })

  test("refuses empty samples and values that are no numbers", () => {
    expect(() => kolmogorovSmirnov([], [1])).toThrow(RangeError)
    expect(() => kolmogorovSmirnov([1, Number.NaN], [1])).toThrow(RangeError)
  })
})
