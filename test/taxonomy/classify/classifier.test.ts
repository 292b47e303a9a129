import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import type { Classifier } from "#dist/taxonomy/classify/classifier.js"
import { evaluateClassifier } from "#dist/taxonomy/classify/evaluate.js"
import { phraseClassifier } from "#dist/taxonomy/classify/phrase-classifier.js"
import { readQueryPaths } from "#dist/taxonomy/classify/query-paths.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import type { Taxonomy } from "#dist/taxonomy/taxonomy.js"
import { scratchFolder } from "../../support/scratch-folder.ts"

const { write, fresh } = scratchFolder()
const context = createContext({ workers: 1 })
let wordnet: Taxonomy
let classifier: Classifier
beforeAll(async () => {
  wordnet = await openTaxonomy("wordnet", { cache: fresh("cache") }, context)
  classifier = phraseClassifier(wordnet)
})

async function topicsOf(queries: readonly string[], by = classifier): Promise<(string | undefined)[]> {
  const topics = await by.classify(dictionaryOf(queries), context)
  return Array.from(topics, (topic) => (topic < 0 ? undefined : by.taxonomy.path(topic)))
}

describe("a query's topic", () => {
  test.each([
    ["free word search puzzles", /puzzle/],
    ["pictures of owls", /^animal\/.*\/owl$/],
    ["word search puzzles for kids", /puzzle/],
    ["golden retriever puppies for sale", /^animal\//],
    ["chocolate chip cookie recipe", /chocolate chip cookie$/],
    ["cheap new york hotels", /\/hotel$/],
    ["hot dogs", /hotdog|hot dog|frank/],
    ["symptoms of gout", /gout$/],
  ])("is that of the most informative phrase: %s", async (query, path) => {
    expect((await topicsOf([query]))[0]).toMatch(path)
  })

  test("follows the sense that the words around a phrase suggest", async () => {
    const [river, money, insect, play] = await topicsOf([
      "river bank slope",
      "bank deposit",
      "cricket insect",
      "cricket bat wicket",
    ])
    expect(river).not.toBe(money)
    expect(money).toMatch(/^(group|possession|artifact)\//)
    expect(insect).toMatch(/^animal\//)
    expect(play).not.toBe(insect)
  })

  test("of a site is that of the words in its name, however it is typed", async () => {
    const topics = await topicsOf([
      "www.gardenshed.com",
      "gardenshed.com",
      "http://garden-shed.org/tools",
      "gardenshed",
    ])
    expect(new Set(topics).size).toBe(1)
    expect(topics[0]).toMatch(/\/shed$/)
  })

  test("is found for a misspelt word", async () => {
    const [right, ...slips] = await topicsOf(["elephant", "elephent", "elehpant", "eleephant", "elepant"])
    expect(slips).toEqual([right, right, right, right])
  })

  test("is none for a query without information", async () => {
    expect(await topicsOf(["how to", "xqzzvtrk", "???", "of the"])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test("is decided quickly for random letters", async () => {
    expect(await topicsOf([`${"a.".repeat(30_000)}com`, "x-".repeat(30_000), "é".repeat(30_000)])).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test.each([
    ["labelled-queries.tsv", 0.88],
    ["labelled-queries-held-out.tsv", 0.76],
    ["labelled-queries-later.tsv", 0.88],
  ])("agrees on level 1 with most labels of %s", async (name, least) => {
    const file = fileURLToPath(new URL(`../${name}`, import.meta.url))
    const labels = await readQueryPaths(file, { taxonomy: wordnet, repeated: "error" }, context)
    const { levels } = await evaluateClassifier(classifier, labels, context)
    expect(levels[0]?.accuracy).toBeGreaterThan(least)
  })

  test("is the same in every log, for any number of workers", async () => {
    const words = [
      "dog",
      "bank",
      "free",
      "river",
      "in",
      "puzzles",
      "mozart",
      "gardenshed.com",
      "xqzz",
      "apple",
      "pie",
      "new",
      "york",
    ]
    const queries = Array.from({ length: 140_000 }, (_, i) => {
      return (
        [i % 13, (i / 13) % 13, (i / 169) % 13, (i / 2197) % 13].map((word) => words[Math.floor(word)]).join(" ") +
        (i % 7)
      )
    })
    const dictionary = dictionaryOf(queries)
    const one = await classifier.classify(dictionary, context)
    const three = await classifier.classify(dictionary, createContext({ workers: 3 }))
    expect(Buffer.compare(Buffer.from(one.buffer), Buffer.from(three.buffer))).toBe(0)
    const few = [5, 77, 1234, 29_999].map((id) => dictionary.text(id))
    const alone = await phraseClassifier(wordnet).classify(dictionaryOf(["another log", ...few]), context)
    expect([...alone.slice(1)]).toEqual([5, 77, 1234, 29_999].map((id) => one[id]))
  })
})

describe("an own taxonomy", () => {
  test("is searched by its names, by the parts of names that list several things, and by its texts", async () => {
    const file = write(
      [
        "Arts & Crafts\t1\tpaint",
        "Arts & Crafts/Pottery\t5\tclay kiln glaze",
        "Home\t1\t",
        "Home/Kitchen Tables\t3\toak furniture",
        "",
      ].join("\n"),
    )
    const own = await openTaxonomy(file, {}, context)
    expect(
      await topicsOf(["cheap pottery", "crafts", "kitchen table", "kiln", "zebra"], phraseClassifier(own)),
    ).toEqual(["Arts & Crafts/Pottery", "Arts & Crafts", "Home/Kitchen Tables", "Arts & Crafts/Pottery", undefined])
  })
})
