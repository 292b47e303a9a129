import { cryptoRandom, type RandomSource } from "../random.ts"
import { complement, power } from "./bounds.ts"
import { createExpGeometric, expPowers } from "./exp-geometric.ts"
import { createGeometric } from "./geometric.ts"
import { laplaceUpperTail } from "./laplace-distribution.ts"
import { drawOneByOne } from "./one-by-one.ts"
import { approximate, type Rational } from "./rational.ts"

/** Draws only the noise that reaches a threshold. */
export interface LaplaceTail {
  /** X given X ≥ threshold. */
  draw(): number
  /** Visits, in ascending order, those of 0 … n − 1 whose noise reaches the threshold. Returns their number. */
  visit(n: number, each: (index: number) => void): number
  /** Only their number: Binomial(n, P(X ≥ threshold)). */
  count(n: number): number
}

const mostTrials = 2 ** 32

/**
 * The upper tail of discrete Laplace noise from a threshold t ≥ 1. P(X ≥ t) = a^t/(1 + a) = p, and X − t given X ≥ t is
 * geometric with ratio a. The number of keys between one that reaches the threshold and the next is geometric with
 * ratio 1 − p. So n keys (up to 2³²) cost only as many draws as there are hits. It is exact for the same reason as
 * `createLaplaceSampler`: p is a non-constant rational function of a, so it is transcendental too.
 */
export function createLaplaceTail(
  { scale, threshold }: { scale: Rational; threshold: number },
  random: RandomSource = cryptoRandom(),
): LaplaceTail {
  if (!Number.isSafeInteger(threshold) || threshold < 1) throw new RangeError("the threshold must be an integer ≥ 1")
  const drawExcess = drawOneByOne(createExpGeometric(scale, random))
  const powers = expPowers(scale)
  const miss = (bits: number) => {
    const one = 1n << BigInt(bits)
    const a = powers(1n, bits)
    const tail = powers(BigInt(threshold), bits)
    const hit = {
      low: (tail.low * one) / (one + a.high),
      high: (tail.high * one) / (one + a.low) + 1n,
    }
    return complement(hit, bits)
  }
  const drawGap = drawOneByOne(
    createGeometric((exponent, bits) => power(miss, exponent, bits), random, {
      scale: -1 / Math.log1p(-laplaceUpperTail(threshold, approximate(scale))),
      limit: mostTrials,
    }),
  )
  const visit = (n: number, each: (index: number) => void) => {
    if (!(n <= mostTrials)) throw new RangeError("at most 2³² keys")
    let hits = 0
    for (let at = drawGap(); at < n; at += 1 + drawGap()) {
      each(at)
      hits++
    }
    return hits
  }
  return { draw: () => threshold + drawExcess(), visit, count: (n) => visit(n, () => {}) }
}
