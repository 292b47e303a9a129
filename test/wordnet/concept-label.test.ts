import { expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { normaliseQuery } from "#dist/text/normalise.js"
import { conceptLabel, findConcept } from "#dist/wordnet/concept-label.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"

const wordnet = await openWordNet({}, createContext())

test("every concept has a label of its own, which is normalised text and leads back to it", () => {
  const labels = new Set<string>()
  for (let synset = 0; synset < wordnet.synsets; synset++) {
    const label = conceptLabel(wordnet, synset)
    if (findConcept(wordnet, label) !== synset || normaliseQuery(label) !== label || /\s/.test(label))
      expect([synset, label]).toBe("found again by a normalised label")
    labels.add(label)
  }
  expect([labels.size, wordnet.synsets]).toEqual([82_192, 82_192])
})

test.each([
  "",
  ".n.01",
  "dog",
  "dog.n.1",
  "dog.n.001",
  "dog.n.00",
  "dog.n.99",
  "DOG.n.01",
  "domestic_dog.n.01",
  "hot dog.n.01",
  "dog.n.01 ",
])("a text that is not a label names no concept: %j", (text) => {
  expect(findConcept(wordnet, text)).toBe(-1)
})
