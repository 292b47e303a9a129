import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { joinSimilar } from "#dist/kernels/join-similar.js"
import type { UnitVectors } from "#dist/kernels/prefix-index.js"

/** Vectors as lists of (dimension, weight); scaled to length one. */
function unitVectors(lists: readonly ReadonlyMap<number, number>[], size: number): UnitVectors {
  const offsets = new Uint32Array(lists.length + 1)
  const dims: number[] = []
  const weights: number[] = []
  lists.forEach((list, v) => {
    const norm = Math.hypot(...list.values())
    for (const [dim, weight] of [...list].sort(([a], [b]) => a - b)) {
      dims.push(dim)
      weights.push(weight / norm)
    }
    offsets[v + 1] = dims.length
  })
  return { offsets, dims: Int32Array.from(dims), weights: Float64Array.from(weights), size }
}

/** The oracle: every pair, multiplied out. */
function allPairs({ offsets, dims, weights, size }: UnitVectors, theta: number): number[][] {
  const dense = Array.from({ length: offsets.length - 1 }, (_, v) => {
    const vector = new Float64Array(size)
    for (let i = offsets[v]; i < offsets[v + 1]; i++) vector[dims[i]] = weights[i]
    return vector
  })
  return dense.map((x, v) =>
    dense.flatMap((y, w) =>
      v !== w && x.reduce((sum, value, d) => sum + value * y[d], 0) >= theta - 1e-12 ? [w] : [],
    ),
  )
}

const size = 12
const vector = fc
  .array(fc.tuple(fc.nat({ max: size - 1 }), fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 6 })
  .map((entries) => new Map(entries))
const theta = fc.constantFrom(0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1)

/** So few that dimensions are split between workers, and within them. */
const shardPairs = fc.constantFrom(1, 7, 50, 1e9)

describe("joining similar vectors", () => {
  test.each([1, 2])("finds what multiplying out all pairs finds, with %i workers", async (workers) => {
    await fc.assert(
      fc.asyncProperty(fc.array(vector, { maxLength: 40 }), theta, shardPairs, async (lists, least, pairs) => {
        const vectors = unitVectors(lists, size)
        const options = { theta: least, shardPairs: pairs }
        const { offsets, neighbours } = await joinSimilar(vectors, options, createContext({ workers }))
        const found = lists.map((_, v) => [...neighbours.subarray(offsets[v], offsets[v + 1])])
        expect(found).toEqual(allPairs(vectors, least))
      }),
      { numRuns: workers === 1 ? 300 : 20 },
    )
  })

  test("finds vectors that are the same but for their order of rarity, at θ = 1", async () => {
    const vectors = unitVectors(
      [
        new Map([
          [0, 3],
          [1, 4],
        ]),
        new Map([
          [1, 8],
          [0, 6],
        ]),
        new Map([[1, 1]]),
      ],
      2,
    )
    const { offsets, neighbours } = await joinSimilar(vectors, { theta: 1 }, createContext({ workers: 1 }))
    expect([[...offsets], [...neighbours]]).toEqual([
      [0, 1, 2, 2],
      [1, 0],
    ])
  })
})
