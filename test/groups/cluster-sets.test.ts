import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { buildClickGraph } from "#dist/kernels/click-graph.js"
import { clusterSets } from "#dist/kernels/cluster-sets.js"
import { createContext } from "#dist/kernels/context.js"

const context = createContext({ workers: 1 })

function csrOf(sets: readonly ReadonlySet<number>[], size: number) {
  const offsets = new Uint32Array(sets.length + 1)
  sets.forEach((set, i) => {
    offsets[i + 1] = offsets[i] + set.size
  })
  const members = Int32Array.from(sets.flatMap((set) => [...set].sort((a, b) => a - b)))
  return { offsets, members, size }
}

function distanceOf(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const union = new Set([...a, ...b]).size
  const common = [...a].filter((member) => b.has(member)).length
  return (union - common) / union
}

/** The definition as written: all unclustered sets against all members, each time. */
function clusterByHand(sets: readonly ReadonlySet<number>[], options: { delta: number; weight: readonly number[] }) {
  const { delta, weight } = options
  const clusterOf = sets.map(() => -1)
  const open = () => clusterOf.flatMap((cluster, set) => (cluster < 0 && sets[set].size > 0 ? [set] : []))
  const heavier = (a: number, b: number) => weight[b] - weight[a] || a - b
  let count = 0
  for (let [seed] = open().sort(heavier); seed !== undefined; [seed] = open().sort(heavier)) {
    const members = [seed]
    clusterOf[seed] = count
    for (;;) {
      const near = open()
        .map((set) => {
          const distances = members.map((member) => distanceOf(sets[set], sets[member]))
          return { set, largest: Math.max(...distances), least: Math.min(...distances) === 0 ? 0 : 1 }
        })
        .filter(({ largest }) => largest <= delta)
        .sort((a, b) => a.largest - b.largest || a.least - b.least || heavier(a.set, b.set))
      if (near.length === 0) break
      clusterOf[near[0].set] = count
      members.push(near[0].set)
    }
    count++
  }
  return { clusterOf, count }
}

const size = 9
const delta = fc.constantFrom(0, 0.1, 0.25, 0.3, 1 / 3, 0.4, 0.5, 0.6, 2 / 3, 0.7, 0.75, 0.8, 0.9, 0.99, 1)
// Member 0 is in most sets, as a hub url is in many queries.
const set = fc
  .tuple(fc.boolean(), fc.array(fc.nat({ max: size - 1 }), { maxLength: 7 }))
  .map(([hub, list]) => new Set(hub ? [0, ...list] : list))
const input = fc
  .array(fc.record({ set, weight: fc.integer({ min: 0, max: 4 }) }), { maxLength: 40 })
  .map((list) => ({ sets: list.map((one) => one.set), weight: list.map((one) => one.weight) }))

describe("clusters of queries by their clicked urls", () => {
  test("are those of the definition, by comparing all pairs", async () => {
    await fc.assert(
      fc.asyncProperty(input, delta, async ({ sets, weight }, largest) => {
        const found = await clusterSets(csrOf(sets, size), { delta: largest, weight }, context)
        expect({ ...found, clusterOf: [...found.clusterOf] }).toEqual(clusterByHand(sets, { delta: largest, weight }))
      }),
      { numRuns: 1500 },
    )
  })

  test("have no two queries further apart than δ, and every query with a click once", async () => {
    await fc.assert(
      fc.asyncProperty(input, delta, async ({ sets, weight }, largest) => {
        const { clusterOf, count } = await clusterSets(csrOf(sets, size), { delta: largest, weight }, context)
        expect([...clusterOf].map((cluster) => cluster >= 0 && cluster < count)).toEqual(
          sets.map((one) => one.size > 0),
        )
        sets.forEach((a, i) => {
          sets.forEach((b, j) => {
            if (clusterOf[i] >= 0 && clusterOf[i] === clusterOf[j])
              expect(distanceOf(a, b)).toBeLessThanOrEqual(largest)
          })
        })
      }),
    )
  })

  test("at δ = 0 are the queries with the same urls; at δ = 1 there is one", async () => {
    const sets = csrOf([new Set([1, 2]), new Set([2, 1]), new Set([1]), new Set(), new Set([3])], 4)
    const weight = [1, 1, 5, 9, 1]
    expect((await clusterSets(sets, { delta: 0, weight }, context)).clusterOf).toEqual(Int32Array.of(1, 1, 0, -1, 2))
    expect((await clusterSets(sets, { delta: 1, weight }, context)).clusterOf).toEqual(Int32Array.of(0, 0, 0, -1, 0))
  })
})

test("the click graph has each pair of query and url once, with its rows", () => {
  const query = Int32Array.of(2, 0, 2, 2, 0, 1, 2)
  const url = Int32Array.of(5, 3, 1, 5, -1, -1, 5)
  const { offsets, members, clicks } = buildClickGraph({ query, url }, { queries: 4, urls: 6 })
  expect([[...offsets], [...members], [...clicks]]).toEqual([
    [0, 1, 1, 3, 3],
    [3, 1, 5],
    [1, 1, 3],
  ])
})
