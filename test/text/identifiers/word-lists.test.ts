import { describe, expect, test } from "vitest"
import { ambiguousGivenNames, givenNames } from "../../../src/text/identifiers/given-names.ts"
import { identifierKinds } from "../../../src/text/identifiers/index.ts"
import { isLetter } from "../../../src/text/identifiers/query-text.ts"
import { detectors } from "../../../src/text/identifiers/registry.ts"
import { surnames, wordSurnames } from "../../../src/text/identifiers/surnames.ts"
import { normaliseQuery } from "../../../src/text/normalise.ts"

describe("the lists of names", () => {
  test("have several hundred of each", () => {
    expect(givenNames.size).toBeGreaterThan(800)
    expect(surnames.size).toBeGreaterThan(800)
  })

  test("say of each name only once whether it is also a word", () => {
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
