import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { findContentWords, groupSimilarTexts } from "#dist/text/content-words.js"

const words = ["the", "of", "a", "x", "é", "𝒳", "boat", "harbour", "blue", "zz"]
const functionWords = new Set(["the", "of", "a"])
const texts = fc.uniqueArray(
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((some) => some.join(" ")),
  { minLength: 1, maxLength: 30 },
)

/**
 * The words of a text that count, as a set: those of two characters or more that are not function words, otherwise all.
 */
function contentOf(text: string): string[] {
  const all = [...new Set(text.split(" "))]
  const content = all.filter((word) => !functionWords.has(word) && [...word].length > 1)
  return (content.length > 0 ? content : all).sort()
}

describe("the content words of texts", () => {
  test("are those found by hand, each once, and texts with the same words are one group", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (list) => {
        const found = await findContentWords(dictionaryOf(list), createContext({ workers: 1 }))
        const own = list.map((_, i) => [...found.words.subarray(found.offsets[i], found.offsets[i + 1])])
        for (const [i, ids] of own.entries()) {
          expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
          expect(ids).toHaveLength(contentOf(list[i] ?? "").length)
        }
        const groups = groupSimilarTexts(found)
        for (const [i, a] of list.entries())
          for (const [j, b] of list.entries())
            expect(groups[i] === groups[j]).toBe(contentOf(a).join() === contentOf(b).join())
      }),
      { numRuns: 60 },
    )
  })
})
