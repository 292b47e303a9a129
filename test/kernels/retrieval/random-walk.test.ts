import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { createWalker, type WalkOptions } from "#dist/kernels/retrieval/random-walk.js"
import { buildWalkGraph } from "#dist/kernels/retrieval/walk-graph.js"
import { isUrl, type Way, walkByHand } from "./walk-by-hand.ts"

const queries = ["a", "b", "c", "d", "e"]
const urls = ["http://1", "http://2", "http://3", "http://4"]
const [queryIds, urlIds] = [dictionaryOf(queries), dictionaryOf(urls)]

function graphOf(ways: readonly Way[]) {
  const edges = (chosen: readonly Way[], targets: typeof queryIds) => ({
    from: Int32Array.from(chosen, ({ from }) => queryIds.find(from)),
    to: Int32Array.from(chosen, ({ to }) => targets.find(to)),
    weight: Float64Array.from(chosen, ({ count }) => count),
  })
  return buildWalkGraph({
    queries: queries.length,
    documents: urls.length,
    clicks: edges(
      ways.filter(({ to }) => isUrl(to)),
      urlIds,
    ),
    transitions: edges(
      ways.filter(({ to }) => !isUrl(to)),
      queryIds,
    ),
  })
}

/**
 * Where the walks of one walker stop, url by url. The walks run one after another, because a walker reuses its memory.
 */
function walks(ways: readonly Way[], { starts, ...options }: WalkOptions & { starts: readonly string[] }) {
  const walkFrom = createWalker(graphOf(ways), options)
  return starts.map((start) => {
    const { documents, count, scoreOf } = walkFrom(queryIds.find(start))
    const reached = Array.from(documents.subarray(0, count))
    expect(new Set(reached).size).toBe(count)
    return Object.fromEntries(reached.map((document): [string, number] => [urls[document] ?? "", scoreOf(document)]))
  })
}

const way = fc.record({
  from: fc.constantFrom(...queries),
  to: fc.constantFrom(...queries, ...urls),
  count: fc.integer({ min: -2, max: 6 }),
})
const options = fc.record({
  steps: fc.integer({ min: 1, max: 5 }),
  selfLoop: fc.constantFrom(0, 0.1, 0.5),
})

describe("a random walk", () => {
  test("stops where the paper's rule says: an example worked out by hand", () => {
    // From a: half of the ways lead to 1, a quarter to 2, a quarter to b. From b: all lead to 2.
    const ways = [
      { from: "a", to: "http://1", count: 2 },
      { from: "a", to: "http://2", count: 1 },
      { from: "a", to: "b", count: 1 },
      { from: "b", to: "http://2", count: 5 },
    ]
    const [found] = walks(ways, { starts: ["a"], steps: 3, selfLoop: 0.1 })
    // At a before each step: 1, 0.1, 0.01; at b: 0, 0.225, 0.045. 0.00775 is still at queries.
    expect(found?.["http://1"]).toBeCloseTo(1.11 * 0.9 * 0.5, 14)
    expect(found?.["http://2"]).toBeCloseTo(1.11 * 0.9 * 0.25 + 0.27 * 0.9, 14)
    expect(Object.values(found ?? {}).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1 - 0.00775, 14)
  })

  test("stops at each url as often as a walk over a Map of Maps, and no probability is lost", () => {
    fc.assert(
      fc.property(fc.array(way, { maxLength: 30 }), options, (ways, chosen) => {
        const found = walks(ways, { ...chosen, starts: queries })
        queries.forEach((start, i) => {
          const expected = walkByHand(ways, { ...chosen, start })
          const onUrls = [...expected].filter(([node, p]) => isUrl(node) && p > 0)
          expect(Object.keys(found[i] ?? {}).sort()).toEqual(onUrls.map(([url]) => url).sort())
          for (const [url, p] of onUrls) expect(found[i]?.[url]).toBeCloseTo(p, 12)
          const onQueries = [...expected].filter(([node]) => !isUrl(node)).reduce((sum, [, p]) => sum + p, 0)
          const total = Object.values(found[i] ?? {}).reduce((sum, p) => sum + p, onQueries)
          expect(total).toBeCloseTo(1, 12)
        })
      }),
    )
  })

  test("does not depend on the order of the rows that the graph is made of", () => {
    const shuffled = fc
      .array(way, { maxLength: 20 })
      .chain((ways) =>
        fc.tuple(fc.constant(ways), fc.shuffledSubarray(ways, { minLength: ways.length, maxLength: ways.length })),
      )
    fc.assert(
      fc.property(shuffled, options, ([ways, others], chosen) => {
        const inOrder = { ...chosen, starts: queries }
        expect(walks(others, inOrder)).toEqual(walks(ways, inOrder))
      }),
    )
  })

  test("takes no edge whose noisy count is below zero, even if its other count is not", () => {
    const ways = [
      { from: "a", to: "http://1", count: 4 },
      { from: "a", to: "http://2", count: -3 },
      { from: "a", to: "http://3", count: 2 },
      { from: "a", to: "http://3", count: -5 },
    ]
    const [found] = walks(ways, { starts: ["a"], steps: 1, selfLoop: 0.1 })
    expect(found).toEqual({ "http://1": 0.9 })
  })

  test("from a query that leads nowhere reaches nothing", () => {
    expect(walks([{ from: "a", to: "http://1", count: 1 }], { starts: ["b"], steps: 3, selfLoop: 0.1 })).toEqual([{}])
  })
})
