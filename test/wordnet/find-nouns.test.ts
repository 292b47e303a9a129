import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { createNounFinder, type NounSpan } from "#dist/wordnet/find-nouns.js"
import { findNoun } from "#dist/wordnet/lemmatise.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"

const wordnet = await openWordNet({}, createContext())
const functionWords = new Set("a an the in on of for to at and is it i my who how us can".split(" "))
const skip = (word: string) => functionWords.has(word)
const finder = createNounFinder(wordnet, { skip })
const find = (query: string) => finder(query.split(" ")).map(({ lemma }) => wordnet.lemmas.text(lemma))

describe("the nouns of a query", () => {
  test.each<[string, string[]]>([
    ["new york city apartments for rent", ["new york city", "apartment", "rent"]],
    ["cheap hot dogs in chicago", ["hot dog", "chicago"]],
    ["women's running shoes", ["woman", "running shoe"]],
    ["united states of america map", ["united states of america", "map"]],
    ["mothers in law gifts", ["mother-in-law", "gift"]],
    ["attorneys general", ["attorney general"]],
    ["the hague hotels", ["the hague", "hotel"]],
    ["house of cards", ["house of cards"]],
    ["degree in law", ["degree", "law"]],
    ["x-rays of teeth", ["x-ray", "tooth"]],
    ["café au lait recipes", ["cafe au lait", "recipe"]],
    ["who is it", []],
    ["xyzzy", []],
  ])("%s", (query, lemmas) => {
    expect(find(query)).toEqual(lemmas)
  })

  test("are at the positions where they were found", () => {
    expect(finder(["cheap", "hot", "dogs", "in", "chicago"])).toEqual([
      { start: 1, length: 2, lemma: wordnet.find("hot dog", "noun") },
      { start: 4, length: 1, lemma: wordnet.find("chicago", "noun") },
    ])
    expect(finder([])).toEqual([])
  })
})

/** The definition, without tables: at each word every length, longest first. */
function findByTrial(words: readonly string[]): NounSpan[] {
  const spans: NounSpan[] = []
  for (let start = 0; start < words.length; ) {
    let length = words.length - start
    let lemma = -1
    for (; length > 0; length--) {
      const text = words.slice(start, start + length).join(" ")
      const skipped = skip(words[start])
      lemma = skipped && length === 1 ? -1 : skipped ? wordnet.find(text, "noun") : findNoun(wordnet, text)
      if (lemma >= 0) break
    }
    if (lemma >= 0) spans.push({ start, length, lemma })
    start += Math.max(1, length)
  }
  return spans
}

test("are the same as by trying every phrase", () => {
  const lemma = fc.nat({ max: wordnet.nouns - 1 }).map((id) => wordnet.lemmas.text(id))
  const phrase = lemma.filter((text) => /[ -]/.test(text))
  const piece = fc.oneof(
    phrase,
    phrase.map((text) => text.replaceAll("-", " ")),
    phrase.map((text) => text.replace(" ", "-")),
    phrase.map((text) => `${text}s`),
    phrase.map((text) => text.replace(/[ -]/, "s$&")),
    phrase.map((text) => text.split(" ")[0]),
    lemma,
    lemma.map((text) => `${text}s`),
    fc.constantFrom(...functionWords, "st.", "u.s.", "café", "x-ray", "-", "a.b.c."),
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (pieces) => {
      const words = pieces.join(" ").split(" ")
      expect(finder(words)).toEqual(findByTrial(words))
    }),
    { numRuns: 3000 },
  )
})
