import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { seededRandom, shuffle } from "#dist/kernels/random.js"

const take = (seed: number, count = 20) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random.uint32())
}

/** xoshiro128** as in the authors' C code (prng.di.unimi.it/xoshiro128starstar.c), with BigInt. */
function* xoshiro128(state: readonly number[]): Generator<number> {
  const word = (value: bigint) => BigInt.asUintN(32, value)
  const rotate = (value: bigint, by: bigint) => word((value << by) | (value >> (32n - by)))
  let [a, b, c, d] = state.map(BigInt)
  for (;;) {
    yield Number(word(rotate(word(b * 5n), 7n) * 9n))
    const t = word(b << 9n)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = rotate(d, 11n)
  }
}

/** splitmix32 from a state on: the four words that a 32-bit seed is expanded to. */
function spread(seed: number): number[] {
  return [1n, 2n, 3n, 4n].map((step) => {
    let z = BigInt.asUintN(32, BigInt(seed) + step * 0x9e3779b9n)
    z = BigInt.asUintN(32, (z ^ (z >> 16n)) * 0x21f0aaadn)
    z = BigInt.asUintN(32, (z ^ (z >> 15n)) * 0x735a2d97n)
    return Number(z ^ (z >> 15n))
  })
}

const first = (words: Generator<number>, count: number) => Array.from({ length: count }, () => words.next().value)

describe("a seeded source", () => {
  test("is xoshiro128**, spread from the seed by splitmix32", () => {
    // The first words from the state 1, 2, 3, 4: the test vector of rand_xoshiro.
    expect(first(xoshiro128([1, 2, 3, 4]), 5)).toEqual([11520, 0, 5927040, 70819200, 2031721883])
    fc.assert(
      fc.property(fc.nat({ max: 0xffff_ffff }), (seed) => {
        const [a, b, c, d] = spread(seed)
        expect(take(seed, 50)).toEqual(first(xoshiro128([a, b, c, (d | 1) >>> 0]), 50))
      }),
    )
  })

  test("repeats for the same seed, in words, draws, fills and shuffles", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (seed) => {
        const run = () => {
          const random = seededRandom(seed)
          const filled = new Uint32Array(5)
          random.fill(filled)
          const items = Uint32Array.from({ length: 20 }, (_, i) => i)
          shuffle(items, random)
          return [random.uint32(), random.below(1000), ...filled, ...items]
        }
        expect(run()).toEqual(run())
      }),
    )
  })

  test("differs from seed to seed, also beyond 32 bits", () => {
    const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 32 + 1, 5 * 2 ** 32, 2 ** 52, Number.MAX_SAFE_INTEGER]
    expect(new Set(seeds.map((seed) => take(seed).join())).size).toBe(seeds.length)
  })

  test("fills an array with the words it would have drawn", () => {
    const words = new Uint32Array(20)
    seededRandom(99).fill(words)
    expect([...words]).toEqual(take(99))
  })

  test("is in a context with a seed, and only that context is seeded", () => {
    expect(createContext({ seed: 99 }).random.uint32()).toBe(take(99)[0])
    expect(createContext({ seed: 0 }).random.seeded).toBe(true)
    expect(createContext().random.seeded).toBe(false)
  })
})
