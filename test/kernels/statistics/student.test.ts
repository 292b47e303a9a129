import { describe, expect, test } from "vitest"
import { pairedEquivalence, pairedTTest } from "#dist/kernels/statistics/paired-t-test.js"
import { studentTail } from "#dist/kernels/statistics/student.js"
import { expectClose } from "./close.ts"

const a = [0.71, 0.62, 0.85, 0.44, 0.93, 0.38, 0.77, 0.59, 0.66, 0.81]
const b = [0.69, 0.65, 0.8, 0.41, 0.95, 0.33, 0.75, 0.6, 0.61, 0.78]

// 2 * scipy.stats.t.sf(abs(t), df), SciPy 1.17.1
test.each([
  [0, 5, 1],
  [1e-5, 9, 0.9999922393018227],
  [0.1, 3, 0.9266523488008059],
  [2, 1, 0.2951672353008665],
  [-2.5, 10, 0.03144684423660882],
  [3.5, 4.7, 0.019129593500276435],
  [12, 30, 5.580185415199261e-13],
  [40, 12, 3.851229580772032e-14],
  [1e8, 2, 1e-16],
  [15, 200, 1.4164499278714078e-34],
  [1.96, 1e6, 0.04999606758526985],
  [Number.NEGATIVE_INFINITY, 3, 0],
])("Student's t beyond %d with %d degrees of freedom has SciPy's chance", (t, df, tail) => {
  expectClose(studentTail(t, df), tail)
})

describe("the paired t-test", () => {
  // scipy.stats.ttest_rel(a, b) and its confidence_interval(confidence)
  test.each([
    {
      samples: [a, b],
      confidence: 0.95,
      mean: 0.019,
      statistic: 2.0292537353503795,
      p: 0.07302242508979372,
      interval: [-0.002180685955837168, 0.04018068595583719],
    },
    {
      samples: [a, b],
      confidence: 0.9,
      mean: 0.019,
      statistic: 2.0292537353503795,
      p: 0.07302242508979372,
      interval: [0.0018364757379861311, 0.036163524262013885],
    },
    {
      samples: [
        [1, 2, 3, 4, 5, 6, 7, 8],
        [101.01, 102, 103.02, 104, 105, 106.01, 107, 108],
      ],
      confidence: 0.99,
      mean: -100.005,
      statistic: -37418.4446964336,
      p: 2.5714321556011033e-30,
      interval: [-100.01435276252101, -99.99564723747898],
    },
    {
      samples: [
        [5, 5.5],
        [4, 5],
      ],
      confidence: 0.95,
      mean: 0.75,
      statistic: 3,
      p: 0.20483276469913345,
      interval: [-2.4265511840436735, 3.9265511840436735],
    },
  ])("gives SciPy's statistic, chance and interval at $confidence", ({ samples, confidence, ...expected }) => {
    const found = pairedTTest(samples[0], samples[1], { confidence })
    expectClose(found.mean, expected.mean)
    expectClose(found.statistic, expected.statistic)
    expect(found.df).toBe(samples[0].length - 1)
    expectClose(found.p, expected.p)
    expectClose(found.interval[0], expected.interval[0])
    expectClose(found.interval[1], expected.interval[1])
  })

  test("of differences without spread is certain, and of no differences says nothing, as in SciPy", () => {
    expect(pairedTTest([2, 3, 4], [1, 2, 3])).toMatchObject({ statistic: Number.POSITIVE_INFINITY, p: 0 })
    expect(pairedTTest([1, 2], [1, 2]).p).toBeNaN()
    expect(pairedTTest([1], [2]).p).toBeNaN()
  })

  test("refuses samples of different length", () => {
    expect(() => pairedTTest([1, 2], [1])).toThrow(RangeError)
  })
})

describe("the test of equivalence", () => {
  // scipy.stats.ttest_1samp(a - b, -margin, alternative="greater") and (a - b, margin, alternative="less")
  test.each([
    [0.02, 0.0012142373274794946, 0.45864411878328243],
    [0.05, 2.119450036424395e-5, 0.004535534451972113],
    [0.1, 2.3567140408861521e-7, 5.892719641366173e-6],
    [1, 1.1848923896953042e-15, 1.6677039989912922e-15],
  ])("within ±%d gives SciPy's two one-sided chances, and the larger", (margin, lower, upper) => {
    const found = pairedEquivalence(a, b, { margin })
    expectClose(found.pLower, lower)
    expectClose(found.pUpper, upper)
    expect(found.p).toBe(Math.max(found.pLower, found.pUpper))
  })

  test("at 5 % agrees with the 90 % interval", () => {
    const [, high] = pairedTTest(a, b, { confidence: 0.9 }).interval
    expect(pairedEquivalence(a, b, { margin: high * 1.0001 }).p).toBeLessThan(0.05)
    expect(pairedEquivalence(a, b, { margin: high * 0.9999 }).p).toBeGreaterThan(0.05)
  })
})
