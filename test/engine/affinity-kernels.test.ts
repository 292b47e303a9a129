import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { findKernel } from "#dist/engine/kernels/registry.js"
import { createContext } from "#dist/kernels/context.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import type { JsonObject } from "#dist/log/formats/json-record.js"
import { tokeniseQueries } from "#dist/text/tokens.js"

async function runKernel(name: string, options: JsonObject, documents: readonly object[]) {
  const run = await (await findKernel(name)).start(options, createContext({ workers: 1 }))
  const out: object[] = []
  for (let from = 0; from < documents.length; from += 5)
    out.push(...(await run.take(documents.slice(from, from + 5) as JsonObject[])))
  return [...out, ...((await run.finish?.()) ?? [])] as Record<string, unknown>[]
}

describe("the kernel ngrams", () => {
  const texts = fc.uniqueArray(
    fc
      .array(fc.constantFrom("a", "b", "the", "東京の天気", "ü", "c."), { minLength: 1, maxLength: 6 })
      .map((words) => words.join(" ")),
    { minLength: 1, maxLength: 20 },
  )

  test("finds the sequences of the words that the single process cuts", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom("words" as const, "segmenter" as const), async (queries, tokens) => {
        const documents = queries.map((q, at) => ({ q, f: 10 * at }))
        const cut = await tokeniseQueries(dictionaryOf(queries), { tokens }, createContext({ workers: 1 }))
        const expected = new Map<string, number>()
        for (let query = 0; query < queries.length; query++) {
          const words = Array.from(cut.tokens.subarray(cut.offsets[query], cut.offsets[query + 1]), (id) =>
            cut.words.text(id),
          )
          for (let n = 1; n <= 3; n++) {
            for (let from = 0; from + n <= words.length; from++) {
              const name = JSON.stringify([10 * query, words.slice(from, from + n).join(" "), n])
              expected.set(name, (expected.get(name) ?? 0) + 1)
            }
          }
        }
        const found = await runKernel("ngrams", { tokens, longest: 3 }, documents)
        expect(new Map(found.map(({ f, g, n, c }) => [JSON.stringify([f, g, n]), c]))).toEqual(expected)
        expect(found.length).toBe(expected.size)
      }),
      { numRuns: 50 },
    )
  })

  test("refuses options and documents that its driver does not send", async () => {
    await expect(runKernel("ngrams", { tokens: "letters", longest: 3 }, [])).rejects.toThrow("does not send")
    await expect(runKernel("ngrams", { tokens: "words", longest: 3 }, [{ q: 1, f: 1 }])).rejects.toThrow("ngrams")
  })
})

describe("the kernel similar", () => {
  interface Vector {
    v: number
    /** 1 if it is certain to be released. */
    a: number
    e: { r: number; w: number }[]
  }
  const vectors: fc.Arbitrary<Vector[]> = fc
    .array(
      fc.record({
        a: fc.constantFrom(0, 0, 1),
        dims: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
      }),
      { minLength: 1, maxLength: 25 },
    )
    .map((made) =>
      made.map(({ a, dims }, v) => ({ v, a, e: dims.sort((x, y) => x - y).map((r) => ({ r, w: 1 + r / 3 })) })),
    )

  const cosine = (x: Vector, y: Vector) => {
    const norm = ({ e }: Vector) => Math.sqrt(e.reduce((sum, { w }) => sum + w * w, 0))
    const dot = x.e.reduce((sum, { r, w }) => sum + w * (y.e.find((other) => other.r === r)?.w ?? 0), 0)
    return dot / (norm(x) * norm(y))
  }

  /** The groups that an engine makes of vectors: by each dimension, and by blocks of them. */
  const groupsOf = (all: readonly Vector[], blocks: number) =>
    all
      .flatMap((vector) =>
        vector.e.flatMap(({ r }) =>
          Array.from({ length: blocks }, (_, o) => {
            const b = (vector.v * 7) % blocks
            return { p: `${r}/${Math.min(b, o)}/${Math.max(b, o)}`, r, b, o, ...vector }
          }),
        ),
      )
      .sort((x, y) => Buffer.compare(Buffer.from(x.p), Buffer.from(y.p)) || x.v - y.v)

  test("finds each pair once, whatever the blocks, and leaves out pairs that are certain", async () => {
    await fc.assert(
      fc.asyncProperty(
        vectors,
        fc.constantFrom(0.3, 0.6, 0.8, 0.95),
        fc.integer({ min: 1, max: 3 }),
        async (all, theta, blocks) => {
          const [pairs, beside] = [new Set<string>(), new Set<number>()]
          for (const x of all) {
            for (const y of all) {
              if (x.v === y.v || cosine(x, y) < theta - 1e-12) continue
              if (x.a === 0 && y.a === 1) beside.add(x.v)
              if (x.a === 0 && y.a === 0 && x.v < y.v) pairs.add(`${x.v} ${y.v}`)
            }
          }
          const found = (await runKernel("similar", { theta }, groupsOf(all, blocks))) as { x: number; y: number }[]
          const apart = found.filter(({ y }) => y >= 0).map(({ x, y }) => `${Math.min(x, y)} ${Math.max(x, y)}`)
          expect(apart.sort()).toEqual([...pairs].sort())
          expect(new Set(found.filter(({ y }) => y < 0).map(({ x }) => x))).toEqual(beside)
        },
      ),
      { numRuns: 300 },
    )
  })

  test("refuses documents that are not sorted by group, and vectors without the common dimension", async () => {
    const one = { p: "2/0/0", v: 1, r: 2, b: 0, o: 0, a: 0, e: [{ r: 2, w: 1 }] }
    await expect(runKernel("similar", { theta: 0.9 }, [one, { ...one, p: "1/0/0" }])).rejects.toThrow("similar")
    await expect(runKernel("similar", { theta: 0.9 }, [{ ...one, r: 3 }])).rejects.toThrow("similar")
  })
})
