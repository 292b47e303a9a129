import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { rankByClicks, rankWithFeedback } from "#dist/kernels/retrieval/click-feedback.js"
import { rankDocuments } from "#dist/kernels/retrieval/rank-documents.js"
import { buildWalkGraph } from "#dist/kernels/retrieval/walk-graph.js"

function rank(scores: Record<string, number>, depth = 1000) {
  const ids = dictionaryOf(Object.keys(scores))
  const documents = Int32Array.from({ length: ids.size }, (_, id) => id)
  const scoreOf = (id: number) => scores[ids.text(id)] ?? 0
  const ranking = rankDocuments({ documents, count: ids.size, scoreOf }, { depth, names: ids.parts() })
  return Array.from(ranking.documents, (id, i): [string, number] => [ids.text(id), ranking.scores[i] ?? 0])
}

/** One query whose urls were clicked this often, ranked by clicks, then with feedback. */
function rankClicked(clicks: Record<string, number>, feedback: { clickedAt: Record<string, number>; depth?: number }) {
  const ids = dictionaryOf(Object.keys(clicks))
  const to = Int32Array.from({ length: ids.size }, (_, id) => id)
  const graph = buildWalkGraph({
    queries: 1,
    documents: ids.size,
    clicks: { from: new Int32Array(ids.size), to, weight: Float64Array.from(Object.values(clicks)) },
    transitions: { from: new Int32Array(0), to: new Int32Array(0) },
  })
  const names = ids.parts()
  const byClicks = rankByClicks(graph, 0, { names })
  const clickedAt = (id: number) => feedback.clickedAt[ids.text(id)]
  const ranked = rankWithFeedback(byClicks, clickedAt, { lambda: 0.6, depth: feedback.depth ?? 100, names })
  const texts = (documents: Int32Array) => Array.from(documents, (id) => ids.text(id))
  return { byClicks: texts(byClicks.documents), ranked: texts(ranked.documents), scores: ranked.scores }
}

describe("a ranked list", () => {
  test("has the best documents, by score and then by name from z to a", () => {
    const scores = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom("a", "b", "é", "🦉") }),
      fc.constantFrom(0.1, 0.2, 0.3, 1e-9, 1 / 3),
    )
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 12 }), (given, depth) => {
        const expected = Object.entries(given)
          .sort(([a, p], [b, q]) => q - p || Buffer.compare(Buffer.from(b), Buffer.from(a)))
          .slice(0, depth)
        expect(rank(given, depth)).toEqual(expected.map(([name, score]) => [name, Math.fround(score)]))
      }),
    )
  })

  test("treats scores as equal that single precision cannot distinguish, as trec_eval does", () => {
    expect(rank({ b: 0.5, d: 0.500_000_000_1, a: 0.1, k: 0.5 }).map(([name]) => name)).toEqual(["k", "d", "b", "a"])
  })
})

describe("implicit feedback", () => {
  test("adds λ / (I_d + 1) to 1 / (O_d + 1) for what was clicked", () => {
    const { byClicks, ranked, scores } = rankClicked({ a: 9, b: 7, c: 5, d: 5 }, { clickedAt: { c: 1, b: 4 } })
    expect(byClicks).toEqual(["a", "b", "d", "c"]) // d and c are equal, so from z to a
    expect(ranked).toEqual(["c", "a", "b", "d"]) // c and a are equal too
    const expected = [0.6 / 2 + 1 / 5, 1 / 2, 0.6 / 5 + 1 / 3, 1 / 4]
    expected.forEach((score, i) => {
      expect(scores[i]).toBeCloseTo(score, 6)
    })
  })

  test("without clicks keeps the order by clicks, and never shows what nobody clicked before", () => {
    const { byClicks, ranked } = rankClicked({ a: 1, b: 3, c: -2 }, { clickedAt: { c: 1 } })
    expect([byClicks, ranked]).toEqual([
      ["b", "a"],
      ["b", "a"],
    ])
  })

  test("looks at all clicked documents before it cuts the list", () => {
    const { ranked } = rankClicked({ a: 3, b: 2, c: 1 }, { clickedAt: { c: 0 }, depth: 2 })
    expect(ranked).toEqual(["c", "a"])
  })
})
