import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { expBounds } from "#dist/kernels/noise/bounds.js"
import { createInversion } from "#dist/kernels/noise/inversion.js"
import { createLaplaceSampler } from "#dist/kernels/noise/laplace-sampler.js"
import { createLaplaceTail } from "#dist/kernels/noise/laplace-tail.js"
import { rationalOf } from "#dist/kernels/noise/rational.js"
import { floorExp } from "./exact-exp.ts"
import { scriptedRandom, wordsOf } from "./scripted-random.ts"

const outcomes = 24
/** a^(j + 1) with a = e^(−2/5). */
const exponentOf = (j: number) => ({ numerator: 2n * BigInt(j + 1), denominator: 5n })

/** ⌊C(j)·2^bits⌋ of C(j) = 1 − a^(j + 1), exactly and independently. */
const exactFloor = (j: number, bits: number) => (1n << BigInt(bits)) - 1n - floorExp(exponentOf(j), bits)

function drawWith(words: readonly number[]): { outcome: number; left: number } {
  const cumulative = (bits: number) =>
    Array.from({ length: outcomes }, (_, j) => {
      const { low, high } = expBounds(exponentOf(j), bits)
      const one = 1n << BigInt(bits)
      return { low: one - high, high: one - low }
    })
  const random = scriptedRandom(words)
  const out = new Uint16Array(1)
  createInversion(cumulative, random)(out)
  return { outcome: out[0], left: random.left() }
}

describe("inversion", () => {
  test("gives the outcome that the exact distribution function gives, whatever the words", () => {
    const floors = Array.from({ length: outcomes }, (_, j) => exactFloor(j, 128))
    const word = fc.oneof(fc.nat({ max: 2 ** 32 - 1 }), fc.constantFrom(0, 2 ** 32 - 1))
    fc.assert(
      fc.property(fc.array(word, { minLength: 4, maxLength: 4 }), (words) => {
        const u = words.reduce((value, next) => (value << 32n) | BigInt(next), 0n)
        const expected = floors.findIndex((floor) => u <= floor)
        expect(drawWith(words).outcome).toBe(expected < 0 ? outcomes : expected)
      }),
    )
  })

  test.each([1, 2, 3, 5])("is exact where the first %d words leave it open", (count) => {
    for (const j of [0, 1, 7, outcomes - 1]) {
      const open = exactFloor(j, 32 * count)
      const next = exactFloor(j, 32 * (count + 1))
      // The words so far are those of the boundary itself. The next word is one below or one above it.
      expect(next >> 32n).toBe(open)
      expect(drawWith(wordsOf(next - 1n, count + 1))).toEqual({ outcome: j, left: 0 })
      expect(drawWith(wordsOf(next + 1n, count + 1))).toEqual({ outcome: j + 1, left: 0 })
    }
  })

  test("takes one word where one is enough", () => {
    const floor = exactFloor(3, 32)
    expect(drawWith([...wordsOf(floor - 1n, 1), 7])).toEqual({ outcome: 3, left: 1 })
    expect(drawWith([...wordsOf(floor + 1n, 1), 7])).toEqual({ outcome: 4, left: 1 })
  })

  test("the last outcome takes what is left, up to the largest words", () => {
    expect(drawWith(wordsOf(2n ** 64n - 1n, 2)).outcome).toBe(outcomes)
  })
})

/** If 64 bits leave a draw open, the next word decides: one below the boundary and one above it. */
describe("what 64 bits leave open is settled by the exact distribution", () => {
  const wide = 400
  const one = 1n << BigInt(wide)
  /** a^exponent to 400 bits. What is cut off is far below the 96 bits that are compared. */
  const powerOf = (scale: bigint, exponent: bigint) => floorExp({ numerator: exponent, denominator: scale }, wide)
  const first96 = (value: bigint) => value >> BigInt(wide - 96)
  const fillOne = (scale: string, words: readonly number[]) => {
    const out = new Int32Array(1)
    createLaplaceSampler({ scale: rationalOf(scale) }, scriptedRandom(words)).fill(out)
    return out[0]
  }

  test("for the magnitude of noise", () => {
    // Scale 2.5: the words of (1 − a²) ± 2⁻⁹⁶, then the word of the sign.
    const next = exactFloor(1, 96)
    expect(fillOne("2.5", [...wordsOf(next - 1n, 3), 0])).toBe(1)
    expect(fillOne("2.5", [...wordsOf(next + 1n, 3), 0])).toBe(2)
    expect(fillOne("2.5", [...wordsOf(next - 1n, 3), 0xf000_0000])).toBe(-2)
    expect(fillOne("2.5", [...wordsOf(next + 1n, 3), 0xf000_0000])).toBe(-3)
  })

  test("for its sign", () => {
    // P(X ≥ 0) = 1/(1 + a). The word of the magnitude is 0.
    const next = first96((one * one) / (one + powerOf(3n, 1n)))
    expect(fillOne("3", [0, ...wordsOf(next - 1n, 3)])).toBe(0)
    expect(fillOne("3", [0, ...wordsOf(next + 1n, 3)])).toBe(-1)
  })

  test("for the lower digit of large noise", () => {
    // P(d ≤ 700) = (1 − a^701)/(1 − a^1024). The word of the higher digit is 0, and so is that of the sign.
    const next = first96(((one - powerOf(5000n, 701n)) * one) / (one - powerOf(5000n, 1024n)))
    expect(fillOne("5000", [0, ...wordsOf(next - 1n, 3), 0])).toBe(700)
    expect(fillOne("5000", [0, ...wordsOf(next + 1n, 3), 0])).toBe(701)
  })

  test("for the higher digit of large noise", () => {
    // P(q ≤ 2) = 1 − a^(3·1024)
    const next = first96(one - powerOf(5000n, 3072n))
    expect(fillOne("5000", [...wordsOf(next - 1n, 3), 0, 0])).toBe(2048)
    expect(fillOne("5000", [...wordsOf(next + 1n, 3), 0, 0])).toBe(3072)
  })

  test("for the first key that reaches a threshold", () => {
    // P(first ≤ 2) = 1 − (1 − p)³ with p = a⁴/(1 + a). 256 draws are made at a time, and later words follow them.
    const hit = (powerOf(3n, 4n) * one) / (one + powerOf(3n, 1n))
    const miss = one - hit
    const next = first96(one - (((miss * miss) / one) * miss) / one)
    const firstKey = (value: bigint) => {
      const [word, ...more] = wordsOf(value, 3)
      const random = scriptedRandom([word, ...new Array<number>(255).fill(0), ...more])
      const keys: number[] = []
      createLaplaceTail({ scale: rationalOf("3"), threshold: 4 }, random).visit(5, (key) => keys.push(key))
      return keys[0]
    }
    expect(firstKey(next - 1n)).toBe(2)
    expect(firstKey(next + 1n)).toBe(3)
  })
})
