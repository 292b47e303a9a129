import { describe, expect, test } from "vitest"
import { laplaceUpperTail } from "#dist/kernels/noise/laplace-distribution.js"
import { createLaplaceTail } from "#dist/kernels/noise/laplace-tail.js"
import { rationalOf } from "#dist/kernels/noise/rational.js"
import { seededRandom } from "#dist/kernels/random.js"
import { chiSquareTest } from "#dist/kernels/statistics/chi-square.js"

/** Tests counts 0 … `cells` − 1 against Binomial(n, p). The last cell also holds all larger counts. */
function judgeCounts(counts: readonly number[], { n, p, cells }: { n: number; p: number; cells: number }): number {
  const observed = new Array<number>(cells).fill(0)
  for (const count of counts) observed[Math.min(count, cells - 1)]++
  let chance = (1 - p) ** n
  let left = 1
  const expected = observed.map((_, k) => {
    if (k === cells - 1) return left * counts.length
    const here = chance
    left -= here
    chance *= ((n - k) / (k + 1)) * (p / (1 - p))
    return here * counts.length
  })
  return chiSquareTest(observed, expected).p
}

/** χ² of P(G = g) = (1 − a)·a^g with a = e^(−1/scale), in cells of `width` values. */
function judgeGeometric(values: readonly number[], scale: number): number {
  const width = Math.max(1, Math.ceil(scale / 20))
  const cells = Math.max(2, Math.floor((scale * Math.log(values.length / 200)) / width))
  const observed = new Array<number>(cells).fill(0)
  for (const value of values) observed[Math.min(Math.floor(value / width), cells - 1)]++
  const tail = (cell: number) => Math.exp((-cell * width) / scale)
  const expected = observed.map((_, cell) => values.length * (tail(cell) - (cell === cells - 1 ? 0 : tail(cell + 1))))
  return chiSquareTest(observed, expected).p
}

function countOften(scale: string, threshold: number, options: { n: number; times: number }): number[] {
  const tail = createLaplaceTail({ scale: rationalOf(scale), threshold }, seededRandom(2015))
  return Array.from({ length: options.times }, () => tail.count(options.n))
}

// Fixed seeds. With random seeds, each of these tests would fail once in a million times.
describe("how many keys reach a threshold by noise alone", () => {
  test.each([
    { scale: "2", threshold: 4, n: 40, cells: 8 },
    { scale: "0.5", threshold: 1, n: 20, cells: 7 },
    { scale: "10", threshold: 80, n: 20_000, cells: 8 },
    { scale: "10", threshold: 160, n: 10_000_000, cells: 6 },
  ])("is binomial: scale $scale, threshold $threshold, $n keys", ({ scale, threshold, n, cells }) => {
    const p = laplaceUpperTail(threshold, Number(scale))
    expect(judgeCounts(countOften(scale, threshold, { n, times: 40_000 }), { n, p, cells })).toBeGreaterThan(1e-6)
  })

  test("the same test catches a threshold that is passed instead of reached", () => {
    const counts = countOften("2", 5, { n: 40, times: 40_000 })
    expect(judgeCounts(counts, { n: 40, p: laplaceUpperTail(4, 2), cells: 8 })).toBeLessThan(1e-6)
  })

  test("of ten million keys is as large as it should be", () => {
    const p = laplaceUpperTail(60, 20)
    const [count] = countOften("20", 60, { n: 10_000_000, times: 1 })
    expect(chiSquareTest([count, 1e7 - count], [1e7 * p, 1e7 * (1 - p)]).p).toBeGreaterThan(1e-6)
  })

  test("is zero if the chance is next to zero", () => {
    // p = e^(−1000)/(1 + 1/e)
    expect(countOften("1", 1000, { n: 10_000_000, times: 100 }).every((count) => count === 0)).toBe(true)
  })
})

describe("the keys themselves", () => {
  test("are visited in ascending order, each as often as any other", () => {
    const tail = createLaplaceTail({ scale: rationalOf("3"), threshold: 7 }, seededRandom(4))
    const visits = new Array<number>(30).fill(0)
    for (let i = 0; i < 20_000; i++) {
      let last = -1
      const hits = tail.visit(30, (key) => {
        expect(key > last).toBe(true)
        last = key
        visits[key]++
      })
      expect(hits <= 30).toBe(true)
    }
    expect(chiSquareTest(visits).p).toBeGreaterThan(1e-6)
    // Each is hit with probability p, so the total must match too.
    const [total, all, p] = [visits.reduce((sum, count) => sum + count, 0), 600_000, laplaceUpperTail(7, 3)]
    expect(chiSquareTest([total, all - total], [all * p, all * (1 - p)]).p).toBeGreaterThan(1e-6)
  })
})

describe("noise that is known to reach the threshold", () => {
  test.each([
    ["2.5", 4],
    ["0.3", 1],
    ["600", 1000],
  ])("is the threshold and a geometric excess: scale %s, threshold %d", (scale, threshold) => {
    const tail = createLaplaceTail({ scale: rationalOf(scale), threshold }, seededRandom(6))
    const excess = Array.from({ length: 200_000 }, () => tail.draw() - threshold)
    expect(judgeGeometric(excess, Number(scale))).toBeGreaterThan(1e-6)
    expect(judgeGeometric(excess, Number(scale) / 2)).toBeLessThan(1e-6)
  })
})

test("a threshold below 1, or too many keys, are refused", () => {
  const scale = rationalOf("1")
  for (const threshold of [0, -3, 1.5]) expect(() => createLaplaceTail({ scale, threshold })).toThrow(RangeError)
  expect(() => createLaplaceTail({ scale, threshold: 1 }).count(2 ** 33)).toThrow(RangeError)
})
