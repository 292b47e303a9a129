import { describe, expect, test } from "vitest"
import { drawDiscreteLaplace } from "#dist/kernels/noise/draw-discrete-laplace.js"
import { laplaceProbability, laplaceUpperTail, laplaceVariance } from "#dist/kernels/noise/laplace-distribution.js"
import { createLaplaceSampler } from "#dist/kernels/noise/laplace-sampler.js"
import { approximate, laplaceScale, type Rational, rationalOf } from "#dist/kernels/noise/rational.js"
import { seededRandom } from "#dist/kernels/random.js"
import { judgeNoise } from "./judge-noise.ts"

const scales: [string, Rational][] = [
  ["0.2", rationalOf("0.2")],
  ["1", rationalOf("1")],
  ["7/3", laplaceScale({ sensitivity: 7n, epsilon: "3" })],
  ["40.5", rationalOf("40.5")],
  ["1500", rationalOf("1500")],
  ["100000", rationalOf("1e5")],
  ["3000000.1", rationalOf("3000000.1")],
]

function fillNoise(scale: Rational, size: number, seed: number): Float64Array {
  const out = new Float64Array(size)
  createLaplaceSampler({ scale }, seededRandom(seed)).fill(out)
  return out
}

function drawPlainly(scale: Rational, size: number, seed: number): Float64Array {
  const random = seededRandom(seed)
  return Float64Array.from({ length: size }, () => Number(drawDiscreteLaplace(scale, random)))
}

/** Six tests. Each fails by chance for about one seed in a million (|z| > 4.8917). */
function expectNoise(drawn: ArrayLike<number>, scale: Rational): void {
  const { shape, zero, symmetry, tails, mean, variance } = judgeNoise(drawn, approximate(scale))
  expect(shape, "shape").toBeGreaterThan(1e-6)
  expect(zero, "zero").toBeGreaterThan(1e-6)
  expect(symmetry, "symmetry").toBeGreaterThan(1e-6)
  expect(tails, "tails").toBeGreaterThan(1e-6)
  expect(Math.abs(mean), "mean").toBeLessThan(4.8917)
  expect(Math.abs(variance), "variance").toBeLessThan(4.8917)
}

// Fixed seeds. With random seeds, one of these tests would fail once in about 8,000 runs.
describe.each(scales)("noise of scale %s", (_, scale) => {
  test("a million draws have its distribution", () => {
    expectNoise(fillNoise(scale, 1_000_000, 20060804), scale)
  })

  test("the plain sampler has the same", () => {
    expectNoise(drawPlainly(scale, 60_000, 5), scale)
  })

  test("draws one by one have it too", () => {
    const sampler = createLaplaceSampler({ scale }, seededRandom(11))
    expectNoise(
      Float64Array.from({ length: 60_000 }, () => sampler.draw()),
      scale,
    )
  })

  test("half the scale is caught, by the shape and by the variance", () => {
    const half = { numerator: scale.numerator, denominator: scale.denominator * 2n }
    const { shape, variance } = judgeNoise(fillNoise(half, 100_000, 3), approximate(scale))
    expect(shape).toBeLessThan(1e-100)
    expect(variance).toBeLessThan(-20)
  })
})

describe("the same test catches", () => {
  const scale = rationalOf("7.5")

  test("a Laplace variable that is rounded to integers", () => {
    const random = seededRandom(8)
    const rounded = Float64Array.from({ length: 1_000_000 }, () => {
      const u = (random.uint32() + 0.5) / 2 ** 32 - 0.5
      return Math.round(-7.5 * Math.sign(u) * Math.log(1 - 2 * Math.abs(u)))
    })
    expect(judgeNoise(rounded, 7.5).zero).toBeLessThan(1e-6)
    expect(judgeNoise(fillNoise(scale, 1_000_000, 8), 7.5).zero).toBeGreaterThan(1e-6)
  })

  test("a sampler that treats −0 as 0", () => {
    const twice = fillNoise(scale, 100_000, 9).map((x) => (x < 0 ? x + 1 : x))
    expect(judgeNoise(twice, 7.5).zero).toBeLessThan(1e-6)
  })
})

describe("a sampler", () => {
  test("draws its distribution from the system's randomness too, and differently each time", () => {
    // Not seeded: a false alarm once in 10⁹ runs. Two equal runs of 50,000 draws are practically impossible.
    const [out, again] = [new Int32Array(50_000), new Int32Array(50_000)]
    createLaplaceSampler({ scale: rationalOf("3") }).fill(out)
    createLaplaceSampler({ scale: rationalOf("3") }).fill(again)
    expect(judgeNoise(out, 3).shape).toBeGreaterThan(1e-9)
    expect(again).not.toEqual(out)
  })

  test("fills integers and doubles alike, of any length", () => {
    for (const size of [0, 1, 4095, 4096, 4097, 10_000]) {
      const integers = new Int32Array(size)
      createLaplaceSampler({ scale: rationalOf("2000") }, seededRandom(1)).fill(integers)
      expect([...integers]).toEqual([...fillNoise(rationalOf("2000"), size, 1)])
    }
  })

  test("refuses integers of 32 bits where its noise does not fit, and scales out of range", () => {
    const sampler = createLaplaceSampler({ scale: rationalOf("1e11") }, seededRandom(1))
    expect(() => sampler.fill(new Int32Array(100))).toThrow(RangeError)
    for (const scale of ["0", "-1", "1e13"]) {
      expect(() => createLaplaceSampler({ scale: rationalOf(scale) }), scale).toThrow(RangeError)
    }
  })

  test("of next to no noise gives zeros", () => {
    // Scale 10⁻⁶: another value has probability e^(−1,000,000).
    expect(fillNoise(rationalOf("1e-6"), 10_000, 1).every((x) => x === 0)).toBe(true)
  })
})

test.each([0.2, 1, 2.5, 30])("chances of noise of scale %d add up, and have the stated mean square", (scale) => {
  const values = Array.from({ length: 4001 }, (_, i) => i - 2000)
  const sum = (term: (x: number) => number) => values.reduce((total, x) => total + term(x), 0)
  expect(sum((x) => laplaceProbability(x, scale))).toBeCloseTo(1, 12)
  expect(sum((x) => x * x * laplaceProbability(x, scale)) / laplaceVariance(scale)).toBeCloseTo(1, 10)
  for (const t of [-5, 0, 1, 4]) {
    expect(sum((x) => (x >= t ? laplaceProbability(x, scale) : 0))).toBeCloseTo(laplaceUpperTail(t, scale), 12)
  }
})
