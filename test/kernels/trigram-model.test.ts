import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { beginMark, endMark, indexTrigrams } from "#dist/kernels/trigram-index.js"
import { trainTrigrams } from "#dist/kernels/trigram-model.js"

const words = 4
const marks = { begin: beginMark(words), end: endMark(words) }
const vocabulary = [0, 1, 2, 3, marks.end]
const base = (word: number) => [0.4, 0.1, 0.1, 0.2, 0.2][word] ?? 0

interface Text {
  tokens: number[]
  weight: number
}

function train(texts: readonly Text[]) {
  const offsets = Uint32Array.from([
    0,
    ...texts.map((_, i) => texts.slice(0, i + 1).flatMap(({ tokens }) => tokens).length),
  ])
  const tokens = Int32Array.from(texts.flatMap((text) => text.tokens))
  const weights = Float64Array.from(texts, ({ weight }) => weight)
  return trainTrigrams(indexTrigrams({ offsets, tokens }, { words }), { weights, base })
}

/** The equation, by going through all texts for every number in it. */
function byHand(texts: readonly Text[], context: readonly number[], word: number): number {
  const grams = texts
    .filter(({ weight }) => weight > 0)
    .flatMap(({ tokens, weight }) => {
      const marked = [marks.begin, marks.begin, ...tokens, marks.end]
      return marked
        .slice(2)
        .map((last, i) => ({ before: [marked[i], marked[i + 1]].slice(2 - context.length), last, weight }))
    })
    .filter(({ before }) => before.every((one, i) => one === context[i]))
  const shorter = context.length === 0 ? base(word) : byHand(texts, context.slice(1), word)
  const sum = (list: { weight: number }[]) => list.reduce((all, { weight }) => all + weight, 0)
  const kinds = new Set(grams.map(({ last }) => last)).size
  if (kinds === 0) return shorter
  return (sum(grams.filter(({ last }) => last === word)) + kinds * shorter) / (sum(grams) + kinds)
}

const someTexts: fc.Arbitrary<Text[]> = fc.array(
  fc.record({
    tokens: fc.array(fc.nat({ max: words - 1 }), { minLength: 0, maxLength: 4 }),
    weight: fc.constantFrom(0, -1, 0.25, 1, 2.5, 7),
  }),
  { maxLength: 8 },
)
const contexts = [marks.begin, 0, 1, 2, 3].flatMap((first) =>
  [marks.begin, 0, 1, 2, 3].map((second) => ({ first, second })),
)

describe("the trigram model", () => {
  test("is the equation of Witten and Bell, and sums to 1 after every context", () => {
    fc.assert(
      fc.property(someTexts, (texts) => {
        const model = train(texts)
        for (const context of contexts) {
          const found = vocabulary.map((word) => model.probability(word, context))
          const expected = vocabulary.map((word) => byHand(texts, [context.first, context.second], word))
          for (const [i, value] of found.entries()) expect(value).toBeCloseTo(expected[i] ?? -1, 12)
          expect(found.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12)
        }
      }),
      { numRuns: 60 },
    )
  })

  test("of no texts is the distribution below it", () => {
    const model = train([])
    expect(vocabulary.map((word) => model.probability(word, { first: 0, second: 1 }))).toEqual(vocabulary.map(base))
    expect([...model.chances([0, 1])]).toEqual([0.4, 0.1, 0.2])
  })

  test("goes along a text, up to its end", () => {
    const texts = [
      { tokens: [0, 1], weight: 2 },
      { tokens: [0, 2, 1], weight: 1 },
    ]
    const model = train(texts)
    const chain = [
      byHand(texts, [marks.begin, marks.begin], 0),
      byHand(texts, [marks.begin, 0], 1),
      byHand(texts, [0, 1], marks.end),
    ]
    expect([...model.chances([0, 1])]).toEqual(chain.map((value) => expect.closeTo(value, 12)))
    // By hand: after the start, 0 follows in all cases, weight 3, one kind. Alone, 0 has 3 of 10 with 4 kinds.
    expect(chain[0]).toBeCloseTo((3 + (3 + (3 + 4 * 0.4) / 14) / 4) / 4, 12)
  })
})
