import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { buildGlossIndex, glossWords } from "#dist/personal/engines/gloss-index.js"
import { topicFinder } from "#dist/personal/find-topics.js"
import { sampleTree } from "./sample-tree.ts"

const taxonomy = await sampleTree().open()
const find = topicFinder(taxonomy, buildGlossIndex(taxonomy))
const paths = (text: string, count = 20) => find(text, { count }).map((topic) => taxonomy.path(topic))
const all = Array.from({ length: taxonomy.size - 1 }, (_, i) => i + 1)

/** By definition: every word is a prefix of a word in the topic's name or text. */
const hasWords = (topic: number, words: readonly string[]) => {
  const own = glossWords(`${taxonomy.name(topic)} ${taxonomy.text(topic)}`)
  return words.every((word) => own.some((part) => part.startsWith(word)))
}

describe("the search for topics", () => {
  test("finds by the beginning of a name, exact names first, then by size", () => {
    expect(paths("eagle", 3)).toEqual(["Sports/Football/Eagles", "Arts/Music/Artists/Eagles", "Science/Birds/Eagles"])
    expect(paths("foot")).toEqual(["Sports/Football"])
    expect(paths("ICE  skating")[0]).toBe("Sports/Ice skating")
  })

  test("finds by words of the description, after names", () => {
    expect(paths("raptor").sort()).toEqual(["Science/Birds/Eagles", "Science/Birds/Owls"])
    expect(paths("guitar rock").sort()).toEqual(["Arts/Music/Artists/Eagles", "Arts/Music/Artists/Queen"])
    expect(paths("music")[0]).toBe("Arts/Music")
    expect(paths("zzz")).toEqual([])
    expect(paths(" , ")).toEqual([])
  })

  test("puts topics of the profile first among equal names", () => {
    const birds = taxonomy.find("Science/Birds/Eagles")
    const [first = -1] = find("eagles", { count: 1, supportOf: (topic) => (topic === birds ? 1 : 0) })
    expect(taxonomy.path(first)).toBe("Science/Birds/Eagles")
  })

  test("finds exactly the topics that have all words, whatever was searched for before", () => {
    const vocabulary = [
      ...new Set(all.flatMap((topic) => glossWords(`${taxonomy.name(topic)} ${taxonomy.text(topic)}`))),
    ]
    const prefix = fc
      .tuple(fc.constantFrom(...vocabulary), fc.nat({ max: 9 }))
      .map(([word, length]) => word.slice(0, length + 1))
    fc.assert(
      fc.property(fc.array(fc.oneof(prefix, fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.join(" ")
        const words = glossWords(text)
        const expected = words.length === 0 ? [] : all.filter((topic) => hasWords(topic, words))
        expect(find(text, { count: 100 }).sort((a, b) => a - b)).toEqual(expected)
      }),
    )
  })
})
