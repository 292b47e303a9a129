import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { meanSwapDistances, type TreeCounts, treeDistance } from "#dist/kernels/tree-distance.js"

/** A tree in preorder: each node is below an earlier one that is still open. */
const tree = fc.array(fc.nat({ max: 3 }), { maxLength: 14 }).map((steps) => {
  const parent = [-1]
  const open = [0]
  for (const closed of steps) {
    for (let i = 0; i < closed && open.length > 1; i++) open.pop()
    parent.push(open.at(-1) ?? 0)
    open.push(parent.length - 1)
  }
  const depth = parent.map((_, node) => pathOf(parent, node).length - 1)
  const end = parent.map((_, node) => {
    let last = node + 1
    while (last < parent.length && pathOf(parent, last).includes(node)) last++
    return last
  })
  return { parent: Int32Array.from(parent), end: Int32Array.from(end), depth: Uint8Array.from(depth) }
})

function pathOf(parent: ArrayLike<number>, node: number): number[] {
  return node < 0 ? [] : [node, ...pathOf(parent, parent[node])]
}

const edgesBetween = (parent: ArrayLike<number>, a: number, b: number) => {
  const [above, below] = [new Set(pathOf(parent, a)), new Set(pathOf(parent, b))]
  return [...above].filter((node) => !below.has(node)).length + [...below].filter((node) => !above.has(node)).length
}

/** The cost of moving items: the cheapest pairing of two equally long lists, by trying all. */
function cheapestPairing(parent: ArrayLike<number>, from: number[], to: number[]): number {
  if (from.length === 0) return 0
  const [first, ...rest] = from
  return Math.min(
    ...to.map((target, i) => edgesBetween(parent, first, target) + cheapestPairing(parent, rest, to.toSpliced(i, 1))),
  )
}

const ones = (nodes: number[]): TreeCounts => ({ nodes, counts: nodes.map(() => 1) })

const treeWithLists = tree.chain((shape) => {
  const node = fc.nat({ max: shape.parent.length - 1 })
  const size = fc.integer({ min: 1, max: 5 })
  const list = size.chain((length) =>
    fc.tuple(...[0, 1, 2].map(() => fc.array(node, { minLength: length, maxLength: length }))),
  )
  return fc.tuple(fc.constant(shape), list)
})

describe("the distance between two profiles on a tree", () => {
  test("is the cheapest way to move one to the other", () => {
    fc.assert(
      fc.property(treeWithLists, ([{ parent }, [from, to]]) => {
        const distance = treeDistance(parent)(ones(from), ones(to))
        expect(distance).toBeCloseTo(cheapestPairing(parent, from, to) / from.length, 10)
      }),
    )
  })

  test("is a metric, and leaves nothing behind from one call to the next", () => {
    fc.assert(
      fc.property(treeWithLists, ([{ parent }, [a, b, c]]) => {
        const distance = treeDistance(parent)
        const between = (x: number[], y: number[]) => distance(ones(x), ones(y))
        expect(between(a, a)).toBeCloseTo(0, 12)
        expect(between(a, b)).toBeCloseTo(between(b, a), 12)
        expect(between(a, c)).toBeLessThanOrEqual(between(a, b) + between(b, c) + 1e-9)
        expect(between(a, b)).toBe(treeDistance(parent)(ones(a), ones(b)))
      }),
    )
  })

  test("does not depend on how much a user searched", () => {
    const parent = Int32Array.of(-1, 0, 1, 0)
    const distance = treeDistance(parent)
    expect(distance({ nodes: [2, 3], counts: [1, 1] }, { nodes: [2, 3], counts: [40, 40] })).toBe(0)
    expect(distance({ nodes: [2], counts: [7] }, { nodes: [3], counts: [1] })).toBe(3)
    expect(distance({ nodes: [], counts: [] }, { nodes: [3], counts: [1] })).toBeNaN()
    expect(distance({ nodes: [2], counts: [7] }, { nodes: [3], counts: [1] })).toBe(3)
  })
})

describe("what is lost when items of a category at depth ℓ change places", () => {
  test("is the mean distance of all pairs of the category", () => {
    fc.assert(
      fc.property(treeWithLists, ([{ parent, end, depth }, [items]]) => {
        const counts = new Float64Array(parent.length)
        for (const node of items) counts[node]++
        const categoryAt = (node: number, level: number) => pathOf(parent, node).at(-1 - level) ?? -1 - node
        const expected = (level: number) => {
          const means = items.map((item) => {
            const peers = items.filter((other) => categoryAt(other, level) === categoryAt(item, level))
            return peers.reduce((sum, other) => sum + edgesBetween(parent, item, other), 0) / peers.length
          })
          return means.reduce((sum, mean) => sum + mean, 0) / items.length
        }
        meanSwapDistances({ parent, end, depth }, counts).forEach((found, level) => {
          expect(found).toBeCloseTo(expected(level), 10)
        })
      }),
    )
  })
})
