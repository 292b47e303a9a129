import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { evaluateRanking } from "#dist/kernels/retrieval/evaluate-ranking.js"
import { rankDocuments } from "#dist/kernels/retrieval/rank-documents.js"
import { qrelsLine, runLines } from "#dist/kernels/retrieval/trec-format.js"

type Grades = Record<string, number>

function evaluate(qrels: Grades, run: Record<string, number>) {
  const ids = dictionaryOf(Object.keys(run))
  const documents = Int32Array.from({ length: ids.size }, (_, id) => id)
  const scoreOf = (id: number) => run[ids.text(id)] ?? 0
  const { documents: ranked } = rankDocuments(
    { documents, count: ids.size, scoreOf },
    { depth: 1000, names: ids.parts() },
  )
  return evaluateRanking(
    Array.from(ranked, (id) => qrels[ids.text(id)] ?? 0),
    Object.values(qrels),
  )
}

const same = Object.fromEntries(["x", ...Array.from({ length: 12 }, (_, i) => `y${10 + i}`)].map((name) => [name, 1]))

// The values come from trec_eval's own code (pytrec_eval-terrier) for these qrels and runs.
const examples: { what: string; qrels: Grades; run: Record<string, number>; values: Record<string, number> }[] = [
  {
    // d a e c f b g: the second, fourth and sixth are relevant, and z is not found.
    what: "ties, and a relevant document that is not found",
    qrels: { a: 1, b: 1, c: 1, z: 1 },
    run: { a: 0.5, d: 0.5, e: 0.4, c: 0.3, f: 0.2, b: 0.2, g: 0.1 },
    values: { ndcg_cut_10: 0.553486104522623, P_5: 0.4, P_10: 0.3, map: 0.375 },
  },
  {
    // k d b a: grades 0 2 1 3.
    what: "graded relevance, and scores that are equal in single precision",
    qrels: { a: 3, b: 1, d: 2 },
    run: { b: 0.5, d: 0.500_000_000_1, a: 0.1, k: 0.5 },
    values: { ndcg_cut_10: 0.6413228228976893, P_5: 0.6, P_10: 0.3, map: 0.6388888888888888 },
  },
  {
    what: "the relevant document thirteenth of thirteen that are equal",
    qrels: { x: 1 },
    run: same,
    values: { ndcg_cut_10: 0, P_5: 0, P_10: 0, map: 0.07692307692307693 },
  },
]

describe("a run is judged as trec_eval judges it", () => {
  test.each(examples)("$what", ({ qrels, run, values }) => {
    for (const [name, value] of Object.entries(evaluate(qrels, run))) expect(value).toBeCloseTo(values[name] ?? -1, 14)
  })

  test("by hand: the sums behind the first example", () => {
    const [gain, ideal] = [
      1 / Math.log2(3) + 1 / Math.log2(5) + 1 / Math.log2(7),
      1 + 1 / Math.log2(3) + 1 / 2 + 1 / Math.log2(5),
    ]
    const { ndcg_cut_10, map } = evaluateRanking([0, 1, 0, 1, 0, 1, 0], [1, 1, 1, 1])
    expect(ndcg_cut_10).toBeCloseTo(gain / ideal, 14)
    expect(map).toBeCloseTo((1 / 2 + 2 / 4 + 3 / 6) / 4, 14)
  })

  test("nothing found scores 0, everything found first scores 1", () => {
    const grades = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(grades, (relevant) => {
        expect(Object.values(evaluateRanking([], relevant))).toEqual([0, 0, 0, 0])
        const best = evaluateRanking([...relevant].sort((a, b) => b - a).concat(0, 0), relevant)
        expect(best.ndcg_cut_10).toBeCloseTo(1, 12)
        expect(best.map).toBeCloseTo(1, 12)
      }),
    )
  })
})

describe("TREC's files", () => {
  test("have their columns, one document without white space, and scores that read back the same", () => {
    const scores = Float32Array.of(1 / 3, 1e-12)
    const lines = runLines({ topic: "1.7", tag: "release-walk", urls: ["http://a b\tc", "http://é"], scores })
    const cells = lines.map((line) => line.split(" "))
    expect(cells.map(([topic, q0, docno, rank, , tag]) => [topic, q0, docno, rank, tag])).toEqual([
      ["1.7", "Q0", "http://a%20b%09c", "1", "release-walk"],
      ["1.7", "Q0", "http://é", "2", "release-walk"],
    ])
    expect(cells.map(([, , , , score]) => Math.fround(Number(score)))).toEqual([...scores])
    expect(qrelsLine({ topic: "1.7", url: "http://a b", grade: 2 })).toBe("1.7 0 http://a%20b 2")
  })
})
