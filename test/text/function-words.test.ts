import { expect, test } from "vitest"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { englishFunctionWords, markFunctionWords, parseFunctionWords } from "#dist/text/function-words.js"
import { normaliseQuery } from "#dist/text/normalise.js"

test("the English list has articles, prepositions, conjunctions, auxiliaries and pronouns, and no content word", () => {
  const list = parseFunctionWords(englishFunctionWords)
  for (const word of ["the", "of", "and", "is", "would", "you", "&", "don't"]) expect(list).toContain(word)
  for (const word of ["free", "articles", "new", "google", "#", ""]) expect(list).not.toContain(word)
  expect([...list].filter((word) => normaliseQuery(word) !== word)).toEqual([])
})

test("a custom list has one word per line, comments after #, and is normalised like a query", () => {
  expect(parseFunctionWords("# remarks\nDer\nDIE das\r\n\n  # more\nＵnd\n")).toEqual(
    new Set(["der", "die", "das", "und"]),
  )
  expect(parseFunctionWords("")).toEqual(new Set())
})

test("the words of a dictionary that are in the list are marked", () => {
  const words = dictionaryOf(["hotel", "the", "paris", "in"])
  expect([...markFunctionWords(words, ["in", "the", "of"])]).toEqual([0, 1, 0, 1])
})
