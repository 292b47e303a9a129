import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { treeDistance } from "#dist/kernels/tree-distance.js"
import { userDistance } from "#dist/kernels/user-matrices.js"
import { treeMatrices } from "#dist/methods/profiles/group-profiles.js"
import { showGroup } from "#dist/methods/profiles/show-group.js"
import { UserTopicsBuilder } from "#dist/methods/profiles/topic-counts.js"
import type { Taxonomy } from "#dist/taxonomy/taxonomy.js"

/** A tree in preorder: the root and three topics. Each topic has two below it, and the first of these has two more. */
const parent = Int32Array.from([-1, 0, 1, 2, 2, 1, 0, 6, 7, 7, 6, 0, 11, 12, 12, 11])
const depth = Uint8Array.from(parent, (_, node) => {
  let level = 0
  for (let at = parent[node] ?? -1; at >= 0; at = parent[at] ?? -1) level++
  return level
})
const taxonomy = { size: parent.length, parent, depth } as Taxonomy
const uncut = Int32Array.from(parent.keys())

const user = fc.array(fc.record({ node: fc.integer({ min: 1, max: 15 }), count: fc.integer({ min: 1, max: 9 }) }), {
  minLength: 1,
  maxLength: 6,
})
const build = (users: readonly (readonly { node: number; count: number }[])[]) => {
  const builder = new UserTopicsBuilder(uncut)
  for (const topics of users) builder.add(topics)
  return builder.build()
}

describe("the distance by which users are grouped", () => {
  test("is the earth mover's on the tree whose paths all lead down to one depth, over twice that depth", () => {
    // The tree with a path of its own below every topic that is not at depth 3.
    const long = [...parent]
    const bottom = [...parent.keys()].map((node) => {
      let at = node
      for (let level = depth[node] ?? 0; level < 3; level++) at = long.push(at) - 1
      return at
    })
    const distance = treeDistance(Int32Array.from(long))
    fc.assert(
      fc.property(user, user, (a, b) => {
        const matrices = treeMatrices(build([a, b]), { taxonomy, depth: 3 })
        const [x, y] = [a, b].map((topics) => ({
          nodes: topics.map(({ node }) => bottom[node] ?? 0),
          counts: topics.map(({ count }) => count),
        }))
        if (x === undefined || y === undefined) throw new Error("two users are expected")
        expect(userDistance(matrices, 0, 1) * 6).toBeCloseTo(distance(x, y), 9)
      }),
    )
  })
})

/** By hand: while a topic has too few users it is moved up, deepest first. */
function showByHand(users: readonly Map<number, number>[], { k, step }: { k: number; step: number }) {
  const own = users.map((counts) => {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    return new Map([...counts].map(([node, count]) => [node, count / total]))
  })
  const nodes = () => [...new Set(own.flatMap((shares) => [...shares.keys()]))].filter((node) => node > 0)
  const isShown = (node: number) => {
    const having = own.filter((shares) => shares.has(node))
    const mean = having.reduce((sum, shares) => sum + (shares.get(node) ?? 0), 0) / own.length
    return { isShown: having.length >= k && mean * 100 >= step / 2, mean }
  }
  for (const node of [...parent.keys()].reverse()) {
    if (node === 0 || !nodes().includes(node) || isShown(node).isShown) continue
    for (const shares of own) {
      const share = shares.get(node)
      if (share === undefined) continue
      shares.delete(node)
      const above = parent[node] ?? 0
      shares.set(above, (shares.get(above) ?? 0) + share)
    }
  }
  return new Map(nodes().map((node) => [node, isShown(node).mean]))
}

describe("the profile of a group", () => {
  test("shows the topics of at least k members, and mean shares of what is shown, as counted by hand", () => {
    const options = fc.record({ k: fc.integer({ min: 2, max: 4 }), step: fc.constantFrom(1, 5, 10) })
    fc.assert(
      fc.property(fc.array(user, { minLength: 2, maxLength: 8 }), options, (users, { k, step }) => {
        const topics = build(users)
        const shown = showGroup([...users.keys()], topics, { taxonomy, k, step })
        const counts = users.map((list) => {
          const sums = new Map<number, number>()
          for (const { node, count } of list) sums.set(node, (sums.get(node) ?? 0) + count)
          return sums
        })
        const expected = showByHand(counts, { k, step })
        expect(shown.map(({ node }) => node)).toEqual([...expected.keys()].sort((a, b) => a - b))
        const whole = [...expected.values()].reduce((sum, mass) => sum + mass, 0)
        for (const { node, share } of shown) {
          expect(share % step).toBe(0)
          expect(Math.abs(share - (100 * (expected.get(node) ?? 0)) / whole)).toBeLessThanOrEqual(step / 2 + 1e-6)
        }
      }),
    )
  })
})
