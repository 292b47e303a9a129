import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import {
  irregularComparisons,
  irregularNouns,
  irregularVerbs,
  plainPlurals,
  uncutNouns,
} from "#dist/wordnet/exceptions.js"
import { findNoun, lemmatise } from "#dist/wordnet/lemmatise.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { type PartOfSpeech, partsOfSpeech } from "#dist/wordnet/part-of-speech.js"

const wordnet = await openWordNet({}, createContext())
const lemmasOf = (text: string, partOfSpeech: PartOfSpeech = "noun") =>
  lemmatise(wordnet, text, { partOfSpeech }).map((lemma) => wordnet.lemmas.text(lemma))
/** The likeliest lemma of each form. */
const firsts = (forms: string, partOfSpeech: PartOfSpeech = "noun") =>
  forms.split(" ").map((form) => lemmasOf(form, partOfSpeech)[0])

describe("a plural is found under its singular", () => {
  test.each([
    ["regular", "dogs boxes churches dishes buses classes houses roses", "dog box church dish bus class house rose"],
    ["in -ies", "cities babies movies cookies ties batteries", "city baby movie cookie tie battery"],
    ["in -ves", "wives knives leaves wolves lives halves shelves gloves", "wife knife leaf wolf life half shelf glove"],
    ["in -oes", "potatoes heroes shoes tomatoes videos", "potato hero shoe tomato video"],
    ["of men", "men women firemen policemen mens womens", "man woman fireman policeman man woman"],
    ["old English", "children mice feet geese teeth oxen lice", "child mouse foot goose tooth ox louse"],
    [
      "Greek",
      "criteria phenomena crises analyses theses stigmata",
      "criterion phenomenon crisis analysis thesis stigmata",
    ],
    ["Latin", "matrices indices cacti larvae curricula stadia", "matrix index cactus larva curriculum stadium"],
    ["more Latin", "alumni nuclei formulae media memoranda genera", "alumnus nucleus formula medium memorandum genus"],
    ["French", "chateaux plateaux", "chateau plateau"],
    ["abbreviated", "tvs pcs dvds", "tv pc dvd"],
    ["doubled", "quizzes gasses busses", "quiz gas bus"],
    ["possessive", "dog's women's dogs' children’s", "dog woman dog child"],
    ["accented", "cafés", "cafe"],
    ["a lemma of its own for something odd", "banks shoes cards days taxis rooms", "bank shoe card day taxi room"],
  ])("%s", (_kind, forms, singulars) => {
    expect(firsts(forms)).toEqual(singulars.split(" "))
  })
})

describe("what only looks like a plural is left alone", () => {
  const words = `
    series species news physics mathematics glasses jeans pants scissors gas bus lens class glass virus texas paris
    christmas politics economics diabetes chess tennis campus bonus specimen omen women's_rightist kansas wales corps
    means sheep deer people data`
  test.each(words.trim().split(/\s+/))("%s", (word) => {
    const text = word.replaceAll("_", " ")
    expect(lemmasOf(text)[0]).toBe(text)
  })

  test("and is not found if WordNet has no such noun", () => {
    for (const word of "was has his its does goes ups alba maxima ramen xyzzies 's s' - .".split(" "))
      expect([word, lemmasOf(word)]).toEqual([word, []])
    expect(lemmasOf("")).toEqual([])
  })
})

test("a form of several nouns has them all, the likeliest first", () => {
  expect(lemmasOf("leaves")).toEqual(["leaf", "leave"])
  expect(lemmasOf("axes")).toEqual(["axe", "axis"])
  expect(lemmasOf("data")).toEqual(["data", "datum"])
  expect(lemmasOf("glasses")).toEqual(["glasses", "glass"])
  expect(lemmasOf("men")).toEqual(["man", "men"])
})

describe("phrases", () => {
  test.each([
    ["hot dog", "hot dog"],
    ["hot dogs", "hot dog"],
    ["hot-dogs", "hot dog"],
    ["new york", "new york"],
    ["credit cards", "credit card"],
    ["attorneys general", "attorney general"],
    ["mothers in law", "mother-in-law"],
    ["mother-in-laws", "mother-in-law"],
    ["runners up", "runner-up"],
    ["united states of america", "united states of america"],
    ["house of cards", "house of cards"],
    ["wisdom teeth", "wisdom tooth"],
    ["x-rays", "x-ray"],
    ["st. louis", "st. louis"],
    ["café au lait", "cafe au lait"],
    ["e-mails", "e-mail"],
  ])("%s is found as %s", (text, lemma) => {
    expect(lemmasOf(text)[0]).toBe(lemma)
    expect(wordnet.lemmas.text(findNoun(wordnet, text))).toBe(lemma)
  })

  test("that WordNet does not have are not found", () => {
    expect(lemmasOf("dogs hot")).toEqual([])
    expect(findNoun(wordnet, "cheap flights")).toBe(-1)
  })
})

describe("verbs and adjectives", () => {
  test.each<[PartOfSpeech, string, string]>([
    ["verb", "walks tries watches hoped walked making running", "walk try watch hope walk make run"],
    ["verb", "tried dying stopped panicking bought went is written", "try die stop panic buy go be write"],
    ["adj", "cheap cheaper cheapest larger bigger happiest better worst", "cheap cheap cheap large big happy good bad"],
    ["adv", "quickly often", "quickly often"],
  ])("%s: %s", (partOfSpeech, forms, bases) => {
    const expected = bases.split(" ")
    const known = forms.split(" ").map((form) => lemmasOf(form, partOfSpeech))
    expect(known.map((lemmas, i) => lemmas.includes(expected[i]))).toEqual(expected.map(() => true))
  })
})

describe("of any text", () => {
  const anyText = fc.oneof(
    fc.nat({ max: wordnet.lemmas.size - 1 }).map((lemma) => wordnet.lemmas.text(lemma)),
    fc
      .tuple(fc.nat({ max: wordnet.nouns - 1 }), fc.constantFrom("s", "es", "'s", "ies", "ing", "-", " of"))
      .map(([lemma, ending]) => wordnet.lemmas.text(lemma) + ending),
    fc.string(),
  )

  test("what is found is a lemma of the part of speech that was asked for, once", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...partsOfSpeech), (text, partOfSpeech) => {
        const found = lemmatise(wordnet, text, { partOfSpeech })
        expect(found.every((lemma) => wordnet.isLemma(lemma, partOfSpeech))).toBe(true)
        expect(new Set(found).size).toBe(found.length)
      }),
      { numRuns: 2000 },
    )
  })

  test("the likeliest noun is the first of its lemmas", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(findNoun(wordnet, text)).toBe(lemmatise(wordnet, text)[0] ?? -1)
      }),
      { numRuns: 2000 },
    )
  })

  test.each(partsOfSpeech)("every %s of WordNet is found as itself, among others", (partOfSpeech) => {
    const lost: string[] = []
    for (let lemma = 0; lemma < wordnet.lemmas.size; lemma++) {
      const text = wordnet.lemmas.text(lemma)
      if (wordnet.isLemma(lemma, partOfSpeech) && !lemmasOf(text, partOfSpeech).includes(text)) lost.push(text)
    }
    expect(lost).toEqual([])
  })
})

describe("the exception tables", () => {
  test.each<[PartOfSpeech, string[]]>([
    ["noun", irregularNouns],
    ["verb", irregularVerbs],
    ["adj", irregularComparisons.filter((line) => !/^(well|badly): /.test(line))],
  ])("lead to lemmas of WordNet and are written as `base: forms`: %s", (partOfSpeech, table) => {
    for (const line of table) {
      expect(line).toMatch(/^[a-z -]+: [a-z']+( [a-z']+)*$/)
      const [base, forms] = line.split(": ")
      for (const form of forms.split(" "))
        expect([form, lemmasOf(form, partOfSpeech)]).toEqual([form, expect.arrayContaining([base])])
    }
  })

  test("override only what would be wrong otherwise", () => {
    for (const word of plainPlurals) {
      expect([word, wordnet.find(word, "noun") >= 0]).toEqual([word, true])
      expect([word, lemmasOf(word).length > 1]).toEqual([word, true])
      expect(lemmasOf(word)[0]).not.toBe(word)
    }
    for (const word of uncutNouns) expect(lemmasOf(word).every((lemma) => lemma === word)).toBe(true)
  })
})
