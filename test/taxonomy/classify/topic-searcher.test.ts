import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { phraseClassifier } from "#dist/taxonomy/classify/phrase-classifier.js"
import { topicSearcher } from "#dist/taxonomy/classify/topic-searcher.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"

const context = createContext({ workers: 1 })
const taxonomy = await openTaxonomy(undefined, {}, context)
const searcher = topicSearcher(taxonomy)
const pathsOf = (query: string) => searcher.findTopics(query).topics.map(({ topic }) => taxonomy.path(topic))

describe("the topics that a query may mean, in WordNet", () => {
  test("are all senses of an ambiguous word, the most common first", () => {
    expect(pathsOf("Eagles").map((path) => path.split("/")[0])).toEqual([
      "animal",
      "possession",
      "communication",
      "quantity",
    ])
  })

  test("are distinguished by the other words", () => {
    expect(pathsOf("java coffee")[0]).toBe("food/beverage/coffee")
    expect(pathsOf("java programming").some((path) => path.endsWith("object-oriented programming language/java"))).toBe(
      true,
    )
  })

  test("have shares that add up to one, and are empty for unknown words", () => {
    for (const query of ["eagles", "cheap flights to paris", "breast cancer symptoms", "apple pie recipe"]) {
      const sum = searcher.findTopics(query).topics.reduce((total, { relevance }) => total + relevance, 0)
      expect(sum).toBeCloseTo(1, 12)
    }
    for (const query of ["", " ", "zzzz qqqq", "the of and"]) expect(searcher.findTopics(query).topics).toEqual([])
  })

  test("begin with the classifier's choice if the query is a single phrase", async () => {
    const queries = [
      "jaguar",
      "figure skating",
      "owls",
      "apple pie",
      "breast cancer",
      "mercury",
      "bank",
      "jazz",
      "gout",
    ]
    const topics = await phraseClassifier(taxonomy).classify(dictionaryOf(queries), context)
    queries.forEach((query, i) => {
      expect(pathsOf(query)[0]).toBe(taxonomy.path(topics[i] ?? -1))
    })
  })
})
