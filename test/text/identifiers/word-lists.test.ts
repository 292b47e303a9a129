import { describe, expect, test } from "vitest"
import { ambiguousGivenNames, givenNames } from "#dist/text/identifiers/given-names.js"
import { identifierKinds } from "#dist/text/identifiers/kinds.js"
import { isLetter } from "#dist/text/identifiers/query-text.js"
import { detectors } from "#dist/text/identifiers/registry.js"
import { surnames, wordSurnames } from "#dist/text/identifiers/surnames.js"
import { normaliseQuery } from "#dist/text/normalise.js"

describe("the lists of names", () => {
  test("have several hundred of each", () => {
    expect(givenNames.size).toBeGreaterThan(800)
    expect(surnames.size).toBeGreaterThan(800)
  })

  test("say only once for each name whether it is also a word", () => {
    expect([...givenNames].filter((name) => ambiguousGivenNames.has(name))).toEqual([])
    expect([...surnames].filter((name) => wordSurnames.has(name))).toEqual([])
  })
})

test("every word a clue looks for is one run of letters in normalised form, as the byte scan cuts it", () => {
  const words = detectors.flatMap(({ clues }) => clues.flatMap(({ words = [] }) => [...words]))
  expect(words.length).toBeGreaterThan(identifierKinds.length)
  const odd = words.filter(
    (word) => normaliseQuery(word) !== word || ![...word].every((letter) => isLetter(letter.charCodeAt(0))),
  )
  expect(odd).toEqual([])
})
