import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { anonymityDegrees } from "#dist/kernels/anonymity-degrees.js"

interface Small {
  edges: [number, number][]
  users: number[][]
}

const small: fc.Arbitrary<Small> = fc.integer({ min: 1, max: 12 }).chain((vertices) => {
  const vertex = fc.nat({ max: vertices - 1 })
  return fc.record({
    edges: fc.array(fc.tuple(vertex, vertex), { maxLength: 40 }).map((pairs) => pairs.filter(([a, b]) => a !== b)),
    users: fc.array(fc.uniqueArray(fc.nat({ max: 7 }), { minLength: 1, maxLength: 4 }), {
      minLength: vertices,
      maxLength: vertices,
    }),
  })
})

const neighboursOf = ({ edges, users }: Small) =>
  users.map((_, v) =>
    [...new Set(edges.flatMap(([a, b]) => (a === v ? [b] : b === v ? [a] : [])))].sort((a, b) => a - b),
  )

function degreesOf(graph: Small, cap: number): number[] {
  const lists = neighboursOf(graph)
  const csr = (of: readonly number[][]) => {
    const offsets = [0]
    for (const list of of) offsets.push((offsets.at(-1) ?? 0) + list.length)
    return { offsets, flat: Int32Array.from(of.flat()) }
  }
  const [near, own] = [csr(lists), csr(graph.users)]
  return [
    ...anonymityDegrees(
      { offsets: Float64Array.from(near.offsets), neighbours: near.flat },
      { offsets: Uint32Array.from(own.offsets), users: own.flat },
      { cap },
    ),
  ]
}

/**
 * The oracle: for each k, delete vertices that see fewer than k users until none does. The degree is the last k
 * survived.
 */
function byDeletion(graph: Small, cap: number): number[] {
  const lists = neighboursOf(graph)
  const degrees = graph.users.map(() => 0)
  for (let k = 1; k <= cap; k++) {
    const alive = new Set(graph.users.keys())
    const sees = (v: number) =>
      new Set([v, ...lists[v].filter((w) => alive.has(w))].flatMap((w) => graph.users[w])).size
    for (let again = true; again; ) {
      const gone = [...alive].filter((v) => sees(v) < k)
      for (const v of gone) alive.delete(v)
      again = gone.length > 0
    }
    for (const v of alive) degrees[v] = k
  }
  return degrees
}

describe("anonymity degrees", () => {
  test("are those of repeated deletion, up to the cap", () => {
    fc.assert(
      fc.property(small, fc.constantFrom(1, 2, 3, 5, 9, 100), (graph, cap) => {
        expect(degreesOf(graph, cap)).toEqual(byDeletion(graph, cap))
      }),
      { numRuns: 1000 },
    )
  })

  test("are core numbers plus one when every query has a user of its own", () => {
    fc.assert(
      fc.property(small, (graph) => {
        const alone = { ...graph, users: graph.users.map((_, v) => [v]) }
        const lists = neighboursOf(alone)
        const cores = graph.users.map(() => 0)
        for (let k = 0; k < graph.users.length; k++) {
          const alive = new Set(graph.users.keys())
          for (let size = -1; size !== alive.size; ) {
            size = alive.size
            for (const v of [...alive]) if (lists[v].filter((w) => alive.has(w)).length < k) alive.delete(v)
          }
          for (const v of alive) cores[v] = k
        }
        expect(degreesOf(alone, 100)).toEqual(cores.map((core) => core + 1))
      }),
    )
  })

  test("are never below the users of one neighbour, from which peeling starts", () => {
    fc.assert(
      fc.property(small, fc.constantFrom(3, 100), (graph, cap) => {
        const lists = neighboursOf(graph)
        const most = graph.users.map((own, v) => Math.max(own.length, ...lists[v].map((w) => graph.users[w].length)))
        expect(degreesOf(graph, cap).every((degree, v) => degree >= Math.min(cap, most[v]))).toBe(true)
      }),
    )
  })

  test("are exact where one query loses many neighbours with the same users, and is counted again and again", () => {
    const star = fc.record({
      leaves: fc.array(fc.uniqueArray(fc.nat({ max: 2 }), { maxLength: 3 }), { minLength: 1, maxLength: 30 }),
      core: fc.array(fc.uniqueArray(fc.nat({ max: 12 }), { minLength: 1, maxLength: 5 }), {
        minLength: 1,
        maxLength: 5,
      }),
    })
    fc.assert(
      fc.property(star, fc.constantFrom(2, 4, 100), ({ leaves, core }, cap) => {
        // Query 0 is affine to all others. The queries of the core are also affine to each other.
        const users = [...core, ...leaves]
        const edges = users.flatMap((_, v) =>
          [...core.keys()].filter((w) => w < v && (w === 0 || v < core.length)).map((w): [number, number] => [w, v]),
        )
        expect(degreesOf({ edges, users }, cap)).toEqual(byDeletion({ edges, users }, cap))
      }),
      { numRuns: 300 },
    )
  })

  test("never fall when a query gets another user", () => {
    fc.assert(
      fc.property(small, fc.nat(), fc.nat({ max: 9 }), (graph, at, user) => {
        const v = at % graph.users.length
        const more = graph.users.map((own, w) => (w === v ? [...new Set([...own, user])] : own))
        const [before, after] = [degreesOf(graph, 100), degreesOf({ ...graph, users: more }, 100)]
        expect(after.every((degree, w) => degree >= before[w])).toBe(true)
      }),
    )
  })
})
