import { cryptoRandom, type RandomSource } from "../random.ts"
import { createExpGeometric, expPowers } from "./exp-geometric.ts"
import { blockSize, createInversion, type Fill } from "./inversion.ts"
import { drawOneByOne } from "./one-by-one.ts"
import type { Rational } from "./rational.ts"

/** Draws discrete Laplace noise of one scale. */
export interface LaplaceSampler {
  /** One draw. */
  draw(): number
  /** Fills every element with an independent draw. Throws a RangeError if a draw does not fit. */
  fill(out: Int32Array | Float64Array): void
}

/**
 * Discrete Laplace noise, P(x) = (1 − a)/(1 + a) · a^|x| with a = e^(−1/scale): exactly the distribution of
 * `drawDiscreteLaplace`.
 *
 * X ≥ 0 has chance 1/(1 + a), and then X is geometric: P(X = g | X ≥ 0) = (1 − a)·a^g. If X < 0, −1 − X has the same
 * distribution. Sign and magnitude are drawn by inversion (`createInversion`). This is exact because e^(−1/scale) is
 * transcendental for every rational scale (Lindemann): no boundary of a table is a binary fraction, so enough digits
 * always decide.
 *
 * Guarantee: given uniform random bits, the output has the distribution above, for every rational scale up to 2⁴⁰. No
 * floating-point rounding enters. Not covered: the time of a draw depends on its value.
 */
export function createLaplaceSampler(
  { scale }: { scale: Rational },
  random: RandomSource = cryptoRandom(),
): LaplaceSampler {
  const fillMagnitudes = createExpGeometric(scale, random)
  const powers = expPowers(scale)
  const fillSigns = createInversion((bits) => {
    const one = 1n << BigInt(bits)
    const a = powers(1n, bits)
    return [{ low: (one * one) / (one + a.high), high: (one * one) / (one + a.low) + 1n }]
  }, random)
  const signs = new Uint16Array(blockSize)
  const fillBlock: Fill<Float64Array> = (out) => {
    fillMagnitudes(out)
    fillSigns(signs.subarray(0, out.length))
    // g, or −1 − g if the sign is 1
    for (let i = 0; i < out.length; i++) out[i] += signs[i] * (-1 - 2 * out[i])
  }
  const block = new Float64Array(blockSize)
  return {
    draw: drawOneByOne(fillBlock),
    fill: (out) => {
      for (let start = 0; start < out.length; start += blockSize) {
        const some = block.subarray(0, Math.min(blockSize, out.length - start))
        fillBlock(some)
        if (out instanceof Int32Array) copyIntegers(some, out.subarray(start))
        else out.set(some, start)
      }
    },
  }
}

function copyIntegers(values: Float64Array, out: Int32Array): void {
  let fit = true
  for (let i = 0; i < values.length; i++) {
    out[i] = values[i]
    fit &&= out[i] === values[i]
  }
  if (!fit) throw new RangeError("noise beyond 32 bits: fill a Float64Array")
}
