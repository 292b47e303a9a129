import type { RandomSource } from "../random.ts"
import { bitLength, type Rational } from "./rational.ts"

/**
 * One draw of discrete Laplace noise, P(x) = (1 − a)/(1 + a) · a^|x| with a = e^(−1/scale), with integers only:
 * Canonne, Kamath & Steinke 2020, "The discrete Gaussian for differential privacy", algorithm 2. This is the plain
 * reference for `createLaplaceSampler`, which draws from the same distribution faster.
 */
export function drawDiscreteLaplace({ numerator: t, denominator: s }: Rational, random: RandomSource): bigint {
  for (;;) {
    // X = u + t·v is geometric with ratio e^(−1/t): u and v are independent.
    const u = uniformBelow(t, random)
    if (!bernoulliExpUnit({ numerator: u, denominator: t }, random)) continue
    let v = 0n
    while (bernoulliExpUnit({ numerator: 1n, denominator: 1n }, random)) v++
    // ⌊X/s⌋ is geometric with ratio e^(−s/t). The sign is fair, and −0 is drawn again.
    const magnitude = (u + t * v) / s
    const negative = random.below(2) === 1
    if (negative && magnitude === 0n) continue
    return negative ? -magnitude : magnitude
  }
}

/**
 * True with chance e^−γ, for 0 ≤ γ ≤ 1 (algorithm 1). In a row of coins with success chances γ/1, γ/2, γ/3, … the
 * number of the first coin to fail is odd with chance 1 − γ + γ²/2! − γ³/3! + …
 */
function bernoulliExpUnit({ numerator, denominator }: Rational, random: RandomSource): boolean {
  let k = 1n
  while (uniformBelow(denominator * k, random) < numerator) k++
  return k % 2n === 1n
}

/** Uniform in [0, n): draws as many bits as n has, and draws again while the result is not below n. */
function uniformBelow(n: bigint, random: RandomSource): bigint {
  if (n <= 0x1_0000_0000n) return BigInt(random.below(Number(n)))
  const bits = bitLength(n)
  for (;;) {
    let value = 0n
    for (let drawn = 0; drawn < bits; drawn += 32) value = (value << 32n) | BigInt(random.uint32())
    value = BigInt.asUintN(bits, value)
    if (value < n) return value
  }
}
