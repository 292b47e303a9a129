import fc from "fast-check"
import { expect, test } from "vitest"
import { readTextWords } from "#dist/stream/live/window-words.js"

function wordsOf(texts: readonly string[]): number[][] {
  const bytes = texts.map((text) => Buffer.from(text))
  const offsets = new Uint32Array(texts.length + 1)
  for (const [i, { length }] of bytes.entries()) offsets[i + 1] = offsets[i] + length
  const { offsets: ends, words } = readTextWords(Buffer.concat(bytes), offsets)
  return texts.map((_, i) => [...words.subarray(ends[i], ends[i + 1])])
}

test("content words are words of two characters or more but no function words, once per text; else all words", () => {
  const [bread, again, none, empty, naïve] = wordsOf([
    "how to bake bread",
    "bread bread bake",
    "to the",
    "",
    "naïve 面包",
  ])
  expect(bread).toHaveLength(2)
  expect(new Set(again)).toEqual(new Set(bread))
  expect(again).toHaveLength(2)
  expect(none).toHaveLength(2)
  expect(empty).toEqual([])
  expect(naïve).toHaveLength(2)
})

test("texts are linked by the words that they share", () => {
  const word = fc.constantFrom("alder", "birch", "cedar", "of", "elm", "ünder")
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 12 }), (texts) => {
      const found = wordsOf(texts.map((words) => words.join(" ")))
      const content = texts.map((words) => {
        const own = words.filter((word) => word !== "of")
        return new Set(own.length > 0 ? own : words)
      })
      for (const [i, one] of content.entries())
        for (const [j, other] of content.entries()) {
          const shared = [...one].filter((word) => other.has(word)).length
          expect(found[i]?.filter((word) => found[j]?.includes(word)).length).toBe(shared)
        }
    }),
  )
})
