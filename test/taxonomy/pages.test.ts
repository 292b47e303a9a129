import { writeFileSync } from "node:fs"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { topicSearcher } from "#dist/taxonomy/classify/topic-searcher.js"
import { type Taxonomy, taxonomyFrom } from "#dist/taxonomy/taxonomy.js"
import { encodeTaxonomy, readTaxonomyFile } from "#dist/taxonomy/taxonomy-file.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { eaglesDump, tableTwo } from "./eagles-dump.ts"
import { readFrom } from "./import-text.ts"
import { rdf } from "./odp-dump.ts"

const { write, at } = scratchFolder()
const found = (tree: Taxonomy, query: string) => {
  const { by, pages, topics } = topicSearcher(tree).findTopics(query)
  return { by, pages, topics: Object.fromEntries(topics.map(({ topic, relevance }) => [tree.path(topic), relevance])) }
}

describe("queries over a taxonomy with pages", () => {
  test("find the topics of Table 2 (Shou et al. 2014), each as relevant as its pages about eagles", async () => {
    const tree = await readFrom(write(eaglesDump()))
    for (const query of ["Eagles", "eagle", "the EAGLES"])
      expect(found(tree, query)).toEqual({ by: "pages", pages: 11, topics: tableTwo })
  })

  test("find the same in an imported file", async () => {
    const { columns } = await readFrom(write(eaglesDump()))
    const path = at("eagles.taxonomy")
    writeFileSync(path, Buffer.concat(encodeTaxonomy(columns)))
    const read = await readTaxonomyFile(path)
    if (read === undefined) throw new Error("not read")
    expect(read.pages).toEqual(columns.pages)
    expect(found(taxonomyFrom(read), "eagles").topics).toEqual(tableTwo)
  })

  test("whose words share no page find pages with most of them, or use names if no page has half", async () => {
    const tree = await readFrom(write(eaglesDump()))
    expect(found(tree, "philadelphia eagles hotel").pages).toBe(2) // two of three: philadelphia eagles, eagles hotel
    expect(found(tree, "raptors xyzzy plugh frobnicate").by).toBe("names")
    expect(found(tree, "aviation")).toMatchObject({ by: "names", pages: 0 }) // a topic's name, on no page
  })

  test("refuse a file whose index points outside its pages", async () => {
    const { columns } = await readFrom(write(eaglesDump()))
    const { pages } = columns
    if (pages === undefined) throw new Error("no pages")
    const wrong = [
      { ...pages, topic: pages.topic.map(() => 999) },
      { ...pages, postings: pages.postings.map(() => 0) },
      { ...pages, postings: pages.postings.map((page) => page + 1000) },
      { ...pages, postingOffsets: pages.postingOffsets.slice(1) },
      { ...pages, wordOffsets: pages.wordOffsets.toReversed() },
    ]
    for (const changed of wrong) {
      writeFileSync(at("wrong.taxonomy"), Buffer.concat(encodeTaxonomy({ ...columns, pages: changed })))
      await expect(readTaxonomyFile(at("wrong.taxonomy"))).rejects.toMatchObject({ code: "taxonomy-broken" })
    }
  })

  test("count the same as a search through all pages", async () => {
    const word = fc.constantFrom("ant", "bee", "cow", "dog", "elk")
    const words = fc.array(word, { minLength: 1, maxLength: 4 })
    const page = fc.record({ topic: fc.constantFrom("a", "a/b", "c", "d/e"), words })
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 12 }), words, async (pages, query) => {
        const topics = ["a", "a/b", "c", "d", "d/e"].map((id) => `<Topic r:id="Top/${id}"/>`)
        const xml = pages.map(({ topic, words: text }) => {
          return `<ExternalPage><d:Title>${text.join(" ")}</d:Title><topic>Top/${topic}</topic></ExternalPage>`
        })
        const tree = await readFrom(write(rdf([...topics, ...xml].join(""))))
        const wanted = new Set(query)
        const hits = pages.map(({ words: text }) => new Set(text.filter((one) => wanted.has(one))).size)
        const most = Math.max(...hits)
        const counts: Record<string, number> = {}
        pages.forEach(({ topic }, i) => {
          if (hits[i] === most && most > 0) counts[topic] = (counts[topic] ?? 0) + 1
        })
        const answer = found(tree, query.join(" "))
        if (most * 2 < wanted.size || most === 0) expect(answer.by).toBe("names")
        else expect(answer).toMatchObject({ by: "pages", topics: counts })
      }),
      { numRuns: 60 },
    )
  })
})
